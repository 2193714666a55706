import { randomUUID } from 'node:crypto';
import { link, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { dependencyProblem, normalizeDependencies } from '../../../plans/graph/task-dependencies.ts';
import { readText } from '../../../kit/files/read-text.ts';
import { writeAtomic } from '../../../kit/files/write-atomic.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import type { RunSettings } from '../../../settings/schema/run-settings.ts';
import { taskId } from '../../../store/task-ids.ts';
import { keepDependencies, keptDependencies } from './task-files-config.ts';
import { readTaskFile, unusable } from './task-files-read.ts';

type Prompt = RunSettings['prompt'];

const TASK_FILE = 'TASK.md';

/** What a task folder says of a task, and what it is to keep of a new start. */
export interface TaskFiles {
  readonly prompt: Prompt;
  readonly dependsOn: readonly string[];
  /** Writes down what is new; the folder is there by now. */
  keep(): Promise<void>;
}

interface AskedTask {
  readonly prompt: Prompt | null;
  readonly dependsOn: readonly string[];
  /** Whether it cannot do without words. */
  readonly needsPrompt: boolean;
}

/** Looks only, and refuses what could never begin, while nothing is written yet. */
export async function readTaskFiles(folder: string, { prompt, dependsOn, needsPrompt }: AskedTask): Promise<TaskFiles> {
  const task = await taskPrompt(folder, prompt, needsPrompt);
  const needs = await dependenciesOf(folder, dependsOn);
  return {
    prompt: task.prompt,
    dependsOn: needs,
    async keep() {
      if (task.first !== null) await keepFirst(join(folder, TASK_FILE), task.first);
      if (dependsOn.length > 0) await keepDependencies(folder, needs);
    },
  };
}

/** What the agent is to do: what the operator asks for, else what the task folder has kept. The first that is asked for is to be kept there. */
async function taskPrompt(folder: string, asked: Prompt | null, isNeeded: boolean): Promise<{ readonly prompt: Prompt; readonly first: string | null }> {
  const kept = await readTaskFile(folder, TASK_FILE);
  const text = asked === null ? '' : await textIn(asked);
  if (asked !== null && text.trim() !== '') return { prompt: asked, first: kept === null ? text : null };
  if (isNeeded && !kept?.trim()) throw noPrompt(folder, kept === null ? `${TASK_FILE} not found` : `${TASK_FILE} is empty`);
  return { prompt: { from: 'text', text: kept ?? '' }, first: null };
}

/** What the task depends on: what the operator asks for, else what is kept in its configuration. */
async function dependenciesOf(folder: string, asked: readonly string[]): Promise<readonly string[]> {
  const dependsOn = asked.length > 0 ? normalizeDependencies(asked).map(taskId) : await keptDependencies(folder);
  const task = basename(folder);
  const problem = dependencyProblem(task, await needsFrom(task, dependsOn, dirname(folder)));
  if (problem !== null) {
    throw new OperatorError('usage', problem, { hint: 'Look at --depends-on, and at depends_on in the TASK-CONFIG.yaml of these tasks.', exitCode: 2 });
  }
  return dependsOn;
}

/** What every task needs that can be reached from one. */
async function needsFrom(task: string, dependsOn: readonly string[], project: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const needs = new Map([[task, dependsOn]]);
  // A map goes on with what is added while it is gone through.
  for (const others of needs.values()) {
    for (const other of others) if (!needs.has(other)) needs.set(other, await keptDependencies(join(project, other)));
  }
  return needs;
}

async function textIn(prompt: Prompt): Promise<string> {
  if (prompt.from === 'text') return prompt.text;
  const read = await readText(prompt.path, 'refuse pipes');
  if (read.kind === 'text') return read.text;
  throw new OperatorError('usage', `prompt file cannot be read: ${prompt.path}: ${read.reason}`, { hint: 'Put it back and try again.', exitCode: 2 });
}

/** It appears whole, and never in the place of another. */
async function keepFirst(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeAtomic(draft, text);
    await link(draft, path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw unusable(path, message, error);
  } finally {
    await rm(draft, { force: true });
  }
}

function noPrompt(folder: string, why: string): OperatorError {
  return new OperatorError('task-missing', `${why} and no prompt provided`, {
    hint: `Say what is to be done with -p or -f, or write it to ${join(folder, TASK_FILE)}.`,
    exitCode: 2,
  });
}
