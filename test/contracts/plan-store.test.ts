import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { PlanTask, TaskStatus } from '../../src/journal/words/plan.ts';
import { openPlanStore, type PlanLocation } from '../../src/plans/open-plan-store.ts';
import { memoryPlan } from '../support/memory-plan.ts';
import { planOf } from '../support/plan-of.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../support/throw-away-folder.ts';
import { type FreshPlan, honoursThePlanStoreContract } from './plan-store.ts';

const folders: ThrowAwayFolder[] = [];
afterAll(async () => {
  for (const folder of folders) await folder[Symbol.asyncDispose]();
});

const ALL: readonly TaskStatus[] = ['pending', 'ready', 'in-progress', 'complete', 'blocked'];

/** A plan without tasks, to which the tasks are added. */
const inFiles =
  (plan: Pick<PlanLocation, 'kind' | 'path'>, begin: (path: string) => Promise<void>): FreshPlan =>
  async (tasks: readonly PlanTask[]) => {
    const folder = await openThrowAwayFolder();
    folders.push(folder);
    const open = () => openPlanStore({ ...plan, top: folder.path, cacheFolder: join(folder.path, 'cache') });
    await begin(join(folder.path, plan.path));
    const digest = (await open().read())?.digest ?? '';
    await open().write(
      digest,
      tasks.map((task) => ({ kind: 'add', task })),
    );
    return open;
  };

honoursThePlanStoreContract(
  'a plan in memory',
  async (tasks) => {
    const plan = memoryPlan(planOf(tasks));
    return () => plan;
  },
  ALL,
);

honoursThePlanStoreContract(
  'a graph that lists its edges',
  inFiles({ kind: 'task-graph', path: 'task-graph.yaml' }, (path) => writeFile(path, 'version: "1.0"\nnodes: []\nedges: []\n')),
  ALL,
);

honoursThePlanStoreContract(
  'a graph whose tasks say what they need',
  inFiles({ kind: 'task-graph', path: 'task-graph.yaml' }, (path) => writeFile(path, 'nodes:\n')),
  ALL,
);

honoursThePlanStoreContract(
  'a graph in brackets',
  inFiles({ kind: 'task-graph', path: 'task-graph.yaml' }, (path) => writeFile(path, '{ version: "1.0", nodes: [], edges: [] }\n')),
  ALL,
);

honoursThePlanStoreContract(
  'a folder of tickets',
  inFiles({ kind: 'tickets', path: 'docs/active/tickets' }, async (path) => void (await mkdir(path, { recursive: true }))),
  ALL,
);

honoursThePlanStoreContract(
  'a file of stories',
  inFiles({ kind: 'stories', path: 'tasks.json' }, (path) => writeFile(path, '{"project": "demo", "userStories": []}\n')),
  ['pending', 'complete'],
);

honoursThePlanStoreContract(
  'a file of stories that is written over lines',
  inFiles({ kind: 'stories', path: 'tasks.json' }, (path) => writeFile(path, '{\n  "project": "demo",\n  "userStories": []\n}\n')),
  ['pending', 'complete'],
);

honoursThePlanStoreContract(
  'a prd.json',
  inFiles({ kind: 'prd', path: 'prd.json' }, (path) => writeFile(path, '{\n  "name": "demo",\n  "userStories": []\n}\n')),
  ['pending', 'complete'],
);

honoursThePlanStoreContract(
  "Taskmaster's tasks.json",
  inFiles({ kind: 'taskmaster', path: 'tasks.json' }, (path) => writeFile(path, '{\n  "master": {\n    "tasks": [],\n    "metadata": {}\n  }\n}\n')),
  ['pending', 'in-progress', 'complete', 'blocked'],
);

honoursThePlanStoreContract(
  "beads' issues.jsonl",
  inFiles({ kind: 'beads', path: 'issues.jsonl' }, (path) => writeFile(path, '')),
  ['pending', 'in-progress', 'complete', 'blocked'],
);

honoursThePlanStoreContract(
  "spec-kit's tasks.md",
  inFiles({ kind: 'spec-kit', path: 'tasks.md' }, (path) => writeFile(path, '# Tasks: demo\n\n## Phase 1: Setup\n\n')),
  ['pending', 'complete'],
);

honoursThePlanStoreContract(
  'a Markdown file with checkboxes',
  inFiles({ kind: 'checkboxes', path: 'TODO.md' }, (path) => writeFile(path, '# TODO\n')),
  ['pending', 'complete'],
);
