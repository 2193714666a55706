import { lstatSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { NewBusMessage } from '../../../journal/messages.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { BUS_NAMES, defaultProjectId, PROJECT_BUS, projectBusOf, projectId, TASK_BUS, TASKS_ROOT, taskFolderOf } from '../../../store/task-place.ts';

/** An agent that posts always posts on its own bus. A reader gets the bus that the flags name. */
export type BusPurpose = 'post' | 'read';

/** The named file, else the agent's own bus and the flags, else the nearest one in this folder or above; null when there is none. */
export function findBus(purpose: BusPurpose, request: BusRequest, place: BusPlace): FoundBus | null {
  refuseContradictions(request);
  if (request.bus !== null) return { path: resolve(place.cwd, request.bus), by: 'name' };
  const [own, flagged] = [busOfEnvironment(request, place), busOfFlags(request, place)];
  return (purpose === 'post' ? (own ?? flagged) : (flagged ?? own)) ?? busAbove(place.cwd, request.projectBus ? [PROJECT_BUS] : BUS_NAMES);
}

/** As `findBus`, but throws when there is none. */
export function requireBus(purpose: BusPurpose, request: BusRequest, place: BusPlace): FoundBus {
  const found = findBus(purpose, request, place);
  if (found !== null) return found;
  throw new OperatorError('bus-unknown', `there is no message bus in ${place.cwd} or above it`, {
    hint: 'Name its file with --bus, or its task with --project and --task.',
    exitCode: 2,
  });
}

function busOfEnvironment({ projectBus }: BusRequest, { cwd, env }: BusPlace): FoundBus | null {
  const own = env['RALPH_MESSAGE_BUS'];
  if (own === undefined || own === '') return null;
  const path = resolve(cwd, own);
  if (!projectBus) return { path, by: 'environment' };
  const beside = projectBusOf(path);
  return beside === null ? busAbove(dirname(path), [PROJECT_BUS]) : { path: beside, by: 'environment' };
}

function busOfFlags({ root, project, task, projectBus }: BusRequest, { cwd, env }: BusPlace): FoundBus | null {
  if (project === null && task === null) return null;
  const tasks = resolve(cwd, root ?? TASKS_ROOT);
  const of = project ?? (env['RALPH_PROJECT_ID'] || defaultProjectId(cwd));
  const path = task === null || projectBus ? join(tasks, projectId(of), PROJECT_BUS) : join(taskFolderOf(tasks, of, task), TASK_BUS);
  return { path, by: 'flags' };
}

function busAbove(folder: string, names: readonly string[]): FoundBus | null {
  const found = names.map((name) => join(folder, name)).find((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
  if (found !== undefined) return { path: found, by: 'folder' };
  return dirname(folder) === folder ? null : busAbove(dirname(folder), names);
}

function refuseContradictions({ bus, root, project, task, projectBus }: BusRequest): void {
  const also = { '--root': root, '--project': project, '--task': task, '--project-bus': projectBus || null };
  const [other] = Object.entries(also).flatMap(([flag, value]) => (value === null ? [] : flag));
  if (bus !== null && other !== undefined) throw badFlags(`--bus already names the file, so ${other} has no effect`, 'Leave one of them out.');
  if (root !== null && project === null && task === null) throw badFlags('--root only names the folder of the tasks', 'Add --project, or --task, or both.');
}

function badFlags(message: string, hint: string): OperatorError {
  return new OperatorError('usage', message, { hint, exitCode: 2 });
}

/** Which bus the user wants; null means not said. */
export interface BusRequest {
  /** A file, which overrides everything. */
  readonly bus: string | null;
  readonly root: string | null;
  readonly project: string | null;
  readonly task: string | null;
  /** The project's bus instead of the task's. */
  readonly projectBus: boolean;
}

/** Where the command was called. */
export interface BusPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A bus, and how it was found. */
export interface FoundBus {
  readonly path: string;
  readonly by: 'name' | 'environment' | 'flags' | 'folder';
}

type Sender = Pick<NewBusMessage, 'project_id' | 'task_id' | 'run_id'>;

/** The sender: the run in the environment, or else the owner of the bus. */
export function senderOf(path: string, env: Readonly<Record<string, string>>): Sender {
  const at = whereBusIs(path);
  const project_id = env['RALPH_PROJECT_ID'] || at.project_id;
  const task_id = env['RALPH_TASK_ID'] || at.task_id;
  const run_id = env['RALPH_RUN_ID'] || undefined;
  return { project_id, ...(task_id !== undefined && { task_id }), ...(run_id !== undefined && { run_id }) };
}

function whereBusIs(path: string): Sender {
  const folder = dirname(path);
  const task_id = basename(folder);
  if (basename(path) === TASK_BUS && task_id !== '') return { project_id: basename(dirname(folder)) || defaultProjectId(folder), task_id };
  return { project_id: basename(path) === PROJECT_BUS ? basename(folder) || defaultProjectId(folder) : defaultProjectId(folder) };
}
