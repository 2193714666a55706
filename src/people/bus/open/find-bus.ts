import { lstatSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import { defaultProjectId, projectId, taskFolderOf } from '../../../store/task-ids.ts';
import { TASKS_ROOT } from '../../../store/root-place.ts';
import { BUS_NAMES, PROJECT_BUS, projectBusBeside, TASK_BUS } from '../../../store/bus-names.ts';
import type { BusPlace, BusWish, FoundBus } from './bus-wish.ts';

/** An agent that posts says so where it stands, whatever it adds; who reads means what they say. */
export type BusPurpose = 'post' | 'read';

/** A file by name, else the agent's own and what the flags say, else the nearest in this folder or above it; null when there is none. */
export function findBus(purpose: BusPurpose, wish: BusWish, place: BusPlace): FoundBus | null {
  refuseContradictions(wish);
  if (wish.bus !== null) return { path: resolve(place.cwd, wish.bus), by: 'name' };
  const [own, flagged] = [busOfEnvironment(wish, place), busOfFlags(wish, place)];
  return (purpose === 'post' ? (own ?? flagged) : (flagged ?? own)) ?? busAbove(place.cwd, wish.projectBus ? [PROJECT_BUS] : BUS_NAMES);
}

/** The same, when there must be one. */
export function theBus(purpose: BusPurpose, wish: BusWish, place: BusPlace): FoundBus {
  const found = findBus(purpose, wish, place);
  if (found !== null) return found;
  throw new OperatorError('bus-unknown', `there is no message bus in ${place.cwd} or above it`, {
    hint: 'Name its file with --bus, or its task with --project and --task.',
    exitCode: 2,
  });
}

function busOfEnvironment({ projectBus }: BusWish, { cwd, env }: BusPlace): FoundBus | null {
  const own = env['RALPH_MESSAGE_BUS'];
  if (own === undefined || own === '') return null;
  const path = resolve(cwd, own);
  if (!projectBus) return { path, by: 'environment' };
  const beside = projectBusBeside(path);
  return beside === null ? busAbove(dirname(path), [PROJECT_BUS]) : { path: beside, by: 'environment' };
}

function busOfFlags({ root, project, task, projectBus }: BusWish, { cwd, env }: BusPlace): FoundBus | null {
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

function refuseContradictions({ bus, root, project, task, projectBus }: BusWish): void {
  const also = { '--root': root, '--project': project, '--task': task, '--project-bus': projectBus || null };
  const [other] = Object.entries(also).flatMap(([flag, value]) => (value === null ? [] : flag));
  if (bus !== null && other !== undefined) throw wrong(`--bus names the file already, so ${other} says nothing`, 'Leave one of them out.');
  if (root !== null && project === null && task === null) throw wrong('--root says only where tasks lie', 'Add --project, or --task, or both.');
}

function wrong(message: string, hint: string): OperatorError {
  return new OperatorError('usage', message, { hint, exitCode: 2 });
}
