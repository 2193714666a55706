import { basename, dirname, join } from 'node:path';

export const TASK_BUS = 'TASK-MESSAGE-BUS.md';
export const PROJECT_BUS = 'PROJECT-MESSAGE-BUS.md';
/** In the order in which one folder is searched. */
export const BUS_NAMES: readonly string[] = [TASK_BUS, PROJECT_BUS, 'MESSAGE-BUS.md'];

/** The bus of the project that a task's bus belongs to; null when it is no task's. */
export function projectBusBeside(path: string): string | null {
  return basename(path) === TASK_BUS ? join(dirname(dirname(path)), PROJECT_BUS) : null;
}
