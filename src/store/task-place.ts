import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { printable } from '../kit/pure/text.ts';

/** The default folder for task folders. */
export const TASKS_ROOT = join('.ralph', 'tasks');

/** The task of a root agent and where it works. */
export interface RootPlace {
  /** The directory it works in. */
  readonly cwd: string;
  readonly root: string;
  readonly project: string;
  readonly task: string;
  readonly folder: string;
}

/** Null for what the operator did not give. */
interface Asked {
  readonly cwd: string;
  readonly workIn: string | null;
  readonly root: string | null;
  readonly project: string | null;
  readonly task: string | null;
}

/** Checks everything before anything is written. Generates an id for a task without one. */
export async function rootPlace({ cwd: asked, workIn, root, project, task }: Asked, nowMs: number): Promise<RootPlace> {
  const cwd = workIn === null ? asked : resolve(asked, workIn);
  if (!(await stat(cwd).catch(() => null))?.isDirectory()) {
    throw new OperatorError('usage', `${cwd} is no directory`, { hint: 'Check --cwd; a relative path starts at the current directory.', exitCode: 2 });
  }
  const names = { project: project ?? defaultProjectId(cwd), task: task ?? newTaskId(nowMs) };
  const tasks = resolve(asked, root ?? TASKS_ROOT);
  return { cwd, root: tasks, ...names, folder: taskFolderOf(tasks, names.project, names.task) };
}

const LONGEST_ID = 100;
const PROJECT = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
const TASK = /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/;
const RUN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** The slug of a generated task id has 3 to 50 characters. */
const SHORTEST_SLUG = 3;
const LONGEST_SLUG = 50;

/** Returns a valid project id or throws. It becomes the name of a folder, so nothing else may pass. */
export function projectId(text: string): string {
  if (isProjectId(text)) return text;
  throw badId('project', text, isProjectId(text.toLowerCase()) ? null : 'It is made of lower-case letters, digits and dashes, such as my-project.');
}

/** Returns a valid task id or throws. */
export function taskId(text: string): string {
  if (isTaskId(text)) return text;
  throw badId('task', text, isTaskId(text.toLowerCase()) ? null : 'It is made of lower-case letters, digits, dashes, dots and underscores, such as task-001.');
}

/** Returns a valid run id or throws. Another process made it up, and it becomes the name of a folder. */
export function runId(text: string): string {
  if (isRunId(text)) return text;
  const hint = 'It is made of letters, digits, dashes, dots and underscores, at most 200, such as 20260101-120000-a1b2c3.';
  throw new OperatorError('usage', `${printable(JSON.stringify(text.slice(0, LONGEST_ID)))} is no run id`, { hint, exitCode: 2 });
}

/** Generates an id for a task without one; ids sort by time. */
export function newTaskId(nowMs: number, name = ''): string {
  const time = new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  const slug = dashed(name);
  return `task-${time}-${slug.length < SHORTEST_SLUG ? process.getBuiltinModule('node:crypto').randomBytes(3).toString('hex') : slug}`;
}

/** The default project: the name of the directory. */
export function defaultProjectId(cwd: string): string {
  return dashed(basename(cwd)) || 'project';
}

/** The folder of a task. Checks both ids, so that no name leads out of the root. */
export function taskFolderOf(root: string, project: string, task: string): string {
  return join(root, projectId(project), taskId(task));
}

function isProjectId(text: string): boolean {
  return text.length <= LONGEST_ID && PROJECT.test(text);
}

export function isRunId(text: string): boolean {
  return RUN.test(text) && !text.includes('..');
}

export function isTaskId(text: string): boolean {
  return text.length <= LONGEST_ID && TASK.test(text) && !text.includes('..');
}

function dashed(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, LONGEST_SLUG)
    .replace(/-$/, '');
}

/** Without a rule, only the upper case was wrong. */
function badId(what: 'project' | 'task', text: string, rule: string | null): OperatorError {
  const problem = text.length > LONGEST_ID ? `a ${what} id has ${LONGEST_ID} characters at most` : `${printable(JSON.stringify(text))} is no ${what} id`;
  return new OperatorError('usage', problem, { hint: rule ?? `Ids are lower case: ${text.toLowerCase()}`, exitCode: 2 });
}

export const TASK_BUS = 'TASK-MESSAGE-BUS.md';
export const PROJECT_BUS = 'PROJECT-MESSAGE-BUS.md';
/** In the order in which one folder is searched. */
export const BUS_NAMES: readonly string[] = [TASK_BUS, PROJECT_BUS, 'MESSAGE-BUS.md'];

/** The project's bus for a task's bus; null if the path is not a task's bus. */
export function projectBusOf(path: string): string | null {
  return basename(path) === TASK_BUS ? join(dirname(dirname(path)), PROJECT_BUS) : null;
}
