import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Holder } from '../../../src/journal/words/task-register.ts';
import { openGitPlace, type Place } from '../../support/place.ts';
import type { RalphRun } from '../../support/ralph.ts';

export interface Node {
  readonly id: string;
  readonly [field: string]: unknown;
}

type Edge = readonly [from: string, to: string];

/** A repository with a task graph, and the built `ralph task` in it. */
export interface TaskStage extends AsyncDisposable {
  readonly place: Place;
  task(...args: readonly string[]): Promise<RalphRun>;
  taskIn(how: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> }, ...args: readonly string[]): Promise<RalphRun>;
  /** The JSON object it prints; fails if there is none. */
  json(...args: readonly string[]): Promise<Record<string, unknown>>;
  /** Another work tree of the same repository, on a branch of that name. */
  worktree(name: string, branch?: string): string;
  plan(): string;
  registers(): readonly string[];
  audit(): readonly Record<string, unknown>[];
  everything(): string;
}

export const CHAIN: readonly Node[] = [
  { id: 'T-1', title: 'Lay the base', priority: 1 },
  { id: 'T-2', title: 'Build on it', priority: 1 },
  { id: 'T-3', title: 'Paint it', priority: 0, story: 'S-1', tags: ['paint'] },
];
export const CHAINED: readonly Edge[] = [
  ['T-1', 'T-2'],
  ['T-2', 'T-3'],
];

/** It contains a comment, so that a rewrite is noticed. */
export function graphOf(nodes: readonly Node[] = CHAIN, edges: readonly Edge[] = CHAINED): string {
  const lines = nodes.map(({ id, ...fields }) => `  - ${JSON.stringify({ id, title: `Title of ${id}`, status: 'pending', ...fields })}`);
  return `version: "1.0"\n# the tasks\nnodes:\n${lines.join('\n')}\nedges:\n${edges.map(([from, to]) => `  - {from: ${from}, to: ${to}}`).join('\n')}\n`;
}

export async function openTaskStage(graph: string = graphOf()): Promise<TaskStage> {
  const place = await openGitPlace();
  await place.write('task-graph.yaml', graph);
  place.git('add', '-A');
  place.git('commit', '-q', '-m', 'plan');
  const registers = join(place.path, '.git', 'ralph', 'registers');
  const taskIn: TaskStage['taskIn'] = (how, ...args) => place.ralph(['task', ...args], how);
  const auditFile = join(place.path, 'logs', 'task-audit.jsonl');
  return {
    place,
    taskIn,
    task: (...args) => taskIn({}, ...args),
    json: async (...args) => JSON.parse((await taskIn({}, ...args, '--json')).stdout),
    worktree(name, branch = name) {
      const path = join(dirname(place.path), name);
      place.git('worktree', 'add', '-q', '-b', branch, path);
      return path;
    },
    plan: () => readFileSync(join(place.path, 'task-graph.yaml'), 'utf8'),
    registers: () => (existsSync(registers) ? readdirSync(registers).sort() : []),
    audit: () => (existsSync(auditFile) ? readFileSync(auditFile, 'utf8').trimEnd().split('\n') : []).map((line) => JSON.parse(line)),
    everything: () =>
      execFileSync('sh', ['-c', 'find . -type f -not -path "./.git/ralph/cache/*" | sort | xargs -d "\\n" sha256sum'], { cwd: place.path, encoding: 'utf8' }),
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
}

/** The variables that a loop sets for its prompt command, so that its worker gets the task. */
export function laneOf(holding: NonNullable<Holder['process']>, key = 'k'): Readonly<Record<string, string>> {
  return { RALPH_HOLDER: JSON.stringify({ name: 'run-1/1', run: 'run-1', lane: 1, process: holding, key }) };
}
