import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { defaultProjectId, newTaskId, taskFolderOf } from './task-ids.ts';
import type { RootWish } from '../recipes/supervise/start/root-wish.ts';

/** Where task folders lie that nobody has put elsewhere. */
export const TASKS_ROOT = join('.ralph', 'tasks');

/** Where a root agent is at home. */
export interface RootPlace {
  /** Where it works. */
  readonly cwd: string;
  readonly root: string;
  readonly project: string;
  readonly task: string;
  readonly folder: string;
}

type Asked = Pick<RootWish, 'workIn' | 'root' | 'project' | 'task'> & { readonly cwd: string };

/** Checked before anything is written. A task that nobody has named gets a name of its own. */
export async function rootPlace({ cwd: asked, workIn, root, project, task }: Asked, nowMs: number): Promise<RootPlace> {
  const cwd = workIn === null ? asked : resolve(asked, workIn);
  if (!(await stat(cwd).catch(() => null))?.isDirectory()) {
    throw new OperatorError('usage', `${cwd} is no directory`, { hint: 'Check --cwd; a relative path begins in the directory you are in.', exitCode: 2 });
  }
  const names = { project: project ?? defaultProjectId(cwd), task: task ?? newTaskId(nowMs) };
  const tasks = resolve(asked, root ?? TASKS_ROOT);
  return { cwd, root: tasks, ...names, folder: taskFolderOf(tasks, names.project, names.task) };
}
