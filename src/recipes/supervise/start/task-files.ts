import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readText, textOf } from '../../../kit/files/read-text.ts';
import { writeAtomic } from '../../../kit/files/write.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { dependencyProblem, normalizeDependencies } from '../../../plans/graph/task-dependencies.ts';
import { parseYaml } from '../../../settings/parse-yaml.ts';
import type { RunSettings } from '../../../settings/schema/run-settings.ts';
import { taskId } from '../../../store/task-place.ts';

type Prompt = RunSettings['prompt'];

const TASK_FILE = 'TASK.md';

/** The files of a task folder, and what a new start adds to them. */
export interface TaskFiles {
  readonly prompt: Prompt;
  readonly dependsOn: readonly string[];
  /** Writes what is new; the folder exists by now. */
  keep(): Promise<void>;
}

interface AskedTask {
  readonly prompt: Prompt | null;
  readonly dependsOn: readonly string[];
  /** Whether a prompt is required. */
  readonly needsPrompt: boolean;
}

/** Only reads, and refuses what could never start, before anything is written. */
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

/** The task of the agent: the operator's prompt, else the one in the task folder. The first prompt is kept there. */
async function taskPrompt(folder: string, asked: Prompt | null, isNeeded: boolean): Promise<{ readonly prompt: Prompt; readonly first: string | null }> {
  const kept = await readTaskFile(folder, TASK_FILE);
  const text = asked === null ? '' : await textIn(asked);
  if (asked !== null && text.trim() !== '') return { prompt: asked, first: kept === null ? text : null };
  if (isNeeded && !kept?.trim()) throw noPrompt(folder, kept === null ? `${TASK_FILE} not found` : `${TASK_FILE} is empty`);
  return { prompt: { from: 'text', text: kept ?? '' }, first: null };
}

/** The dependencies of the task: those the operator names, else those in its configuration. */
async function dependenciesOf(folder: string, asked: readonly string[]): Promise<readonly string[]> {
  const dependsOn = asked.length > 0 ? normalizeDependencies(asked).map(taskId) : await keptDependencies(folder);
  const task = basename(folder);
  const problem = dependencyProblem(task, await needsFrom(task, dependsOn, dirname(folder)));
  if (problem !== null) {
    throw new OperatorError('usage', problem, { hint: 'Look at --depends-on, and at depends_on in the TASK-CONFIG.yaml of these tasks.', exitCode: 2 });
  }
  return dependsOn;
}

/** The dependencies of every task that can be reached from one. */
async function needsFrom(task: string, dependsOn: readonly string[], project: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const needs = new Map([[task, dependsOn]]);
  // Iterating a map includes entries that are added meanwhile.
  for (const others of needs.values()) {
    for (const other of others) if (!needs.has(other)) needs.set(other, await keptDependencies(join(project, other)));
  }
  return needs;
}

async function textIn(prompt: Prompt): Promise<string> {
  if (prompt.from === 'text') return prompt.text;
  const read = await readText(prompt.path, 'refuse pipes');
  if (read.kind === 'text') return read.text;
  throw new OperatorError('usage', `prompt file cannot be read: ${prompt.path}: ${read.reason}`, { hint: 'Restore it and try again.', exitCode: 2 });
}

/** Creates the file atomically, and never replaces another. */
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
    hint: `Give the task with -p or -f, or write it to ${join(folder, TASK_FILE)}.`,
    exitCode: 2,
  });
}

const CONFIG = 'TASK-CONFIG.yaml';
const KEY = 'depends_on';

/** The parser compares every key with every other: a megabyte of keys takes it half a minute. */
const LONGEST = 100_000;

/** The dependencies in the configuration of a task; empty without one. */
async function keptDependencies(folder: string): Promise<readonly string[]> {
  const path = join(folder, CONFIG);
  const text = await readTaskFile(folder, CONFIG);
  if (text === null) return [];
  if (text.length > LONGEST) throw unusable(path, `it has more than ${LONGEST} characters`);
  const read = await parseYaml(text);
  if (read.kind === 'unreadable') throw unusable(path, read.reason);
  return checked(normalizeDependencies(namesIn(read.value, path)), path);
}

/** Writes them for later starts. The rest of the file stays, including comments; a file that says the same already is not touched. */
async function keepDependencies(folder: string, dependsOn: readonly string[]): Promise<void> {
  if ((await keptDependencies(folder)).join() === dependsOn.join()) return;
  const { parseDocument } = await import('yaml');
  const document = parseDocument((await readTaskFile(folder, CONFIG)) ?? '');
  if (dependsOn.length === 0) document.delete(KEY);
  else document.set(KEY, document.createNode(dependsOn));
  const path = join(folder, CONFIG);
  await writeAtomic(path, document.toString({ lineWidth: 0 }), 0o644).catch((error: Error) => {
    throw unusable(path, error.message, error);
  });
}

function namesIn(value: unknown, path: string): readonly string[] {
  if (value === null) return [];
  if (typeof value !== 'object' || Array.isArray(value)) throw unusable(path, 'it must be a map of settings');
  const named: unknown = (value as Readonly<Record<string, unknown>>)[KEY] ?? [];
  const names: readonly unknown[] = Array.isArray(named) ? named : [named];
  if (!names.every((name) => typeof name === 'string')) throw unusable(path, `${KEY} must be a list of task ids`);
  return names;
}

/** They become paths, so a file that anybody may have written is trusted no more than a flag. */
function checked(ids: readonly string[], path: string): readonly string[] {
  try {
    return ids.map(taskId);
  } catch (error) {
    throw unusable(path, (error as Error).message, error);
  }
}

/** No agent reads more than a megabyte. */
const LARGEST_BYTES = 1024 * 1024;

/** The text of a file in a task folder; null when it is missing. Agents can write there too, so this never follows a link or blocks on a pipe. */
async function readTaskFile(folder: string, name: string): Promise<string | null> {
  const path = join(folder, name);
  const file = await opened(path);
  if (file === null) return null;
  try {
    const found = await file.stat();
    if (!found.isFile()) throw unusable(path, `it is ${found.isDirectory() ? 'a directory' : 'not a regular file'}`);
    if (found.size > LARGEST_BYTES) throw unusable(path, 'it is larger than a megabyte');
    const read = textOf(await file.readFile(), true);
    if (read.kind === 'text') return read.text;
    if (read.why === 'empty') return '';
    throw unusable(path, read.reason);
  } finally {
    await file.close();
  }
}

function unusable(path: string, why: string, cause?: unknown): OperatorError {
  return new OperatorError('task-file-unusable', `cannot use ${path}: ${why}`, { hint: 'Repair it, or move it away and start again.', exitCode: 2, cause });
}

async function opened(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw unusable(path, REASONS.get(code) ?? code, error);
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ELOOP', 'it is a symbolic link'],
  ['ENXIO', 'it is not a regular file'],
  ['EACCES', 'it may not be read'],
  ['ENOTDIR', 'a file stands where its folder should be'],
]);
