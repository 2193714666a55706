import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { openPlanStore } from './open-plan-store.ts';

const may_change = ['test/**', '*.snap'];
const runs_on = ['gpu', 'agent:codex'];
const story = { id: 'A', title: 'A', acceptanceCriteria: ['x'], priority: 1, passes: false, mayChange: may_change, runsOn: runs_on };
const comment = (id: string) => `  <!-- ralph: ${JSON.stringify({ id, may_change, runs_on })} -->\n`;
const forms = [
  [
    'task-graph',
    'task-graph.yaml',
    'task-graph.yaml',
    'version: "1.0"\nnodes:\n  - {id: A, title: A, may_change: ["test/**", "*.snap"], runs_on: "gpu, agent:codex"}\nedges: []\n',
  ],
  ['tickets', 'tickets', 'tickets/A.md', '---\nid: A\nmay_change:\n  - test/**\n  - "*.snap"\nruns_on: [gpu, "agent:codex"]\n---\n# A\n'],
  ['stories', 'tasks.json', 'tasks.json', JSON.stringify({ project: 'p', userStories: [story] })],
  ['prd', 'prd.json', 'prd.json', JSON.stringify({ project: 'p', userStories: [story] })],
  [
    'taskmaster',
    '.taskmaster/tasks/tasks.json',
    '.taskmaster/tasks/tasks.json',
    JSON.stringify({ master: { tasks: [{ id: 'A', title: 'A', status: 'pending', may_change, runs_on }] } }),
  ],
  ['beads', '.beads/issues.jsonl', '.beads/issues.jsonl', `${JSON.stringify({ id: 'A', title: 'A', status: 'open', may_change, runs_on })}\n`],
  ['spec-kit', 'specs/001-a/tasks.md', 'specs/001-a/tasks.md', `# Tasks\n\n## Phase 1: A\n\n- [ ] T001 A\n${comment('A')}`],
  ['checkboxes', 'TODO.md', 'TODO.md', `- [ ] A\n${comment('A')}`],
] as const;

async function read(kind: (typeof forms)[number][0], path: string, file: string, text: string) {
  await using folder = await openThrowAwayFolder();
  await mkdir(dirname(join(folder.path, file)), { recursive: true });
  await writeFile(join(folder.path, file), text);
  return await openPlanStore({ kind, path, top: folder.path, cacheFolder: null }).read();
}

it.each(forms)('may_change and runs_on of a task are read from a %s', async (kind, path, file, text) => {
  const reading = await read(kind, path, file, text);
  expect(reading?.problems).toEqual([]);
  expect(reading?.plan?.tasks).toMatchObject([{ id: 'A', may_change, runs_on }]);
});

it.each(forms)('may_change that leads out of the work tree is reported with its line in a %s', async (kind, path, file, text) => {
  const reading = await read(kind, path, file, text.replace('test/**', '../**'));
  expect(reading?.problems).toMatchObject([{ file, message: '../** leads out of the work tree', task: 'A' }]);
});
