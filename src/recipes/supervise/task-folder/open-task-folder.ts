import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TaskFolder } from '../../../engine/ports/supervision.ts';
import type { Blocker, DoneFileState } from '../../../journal/events/task.ts';
import { renameToFreeNumber } from './rename-to-free-number.ts';
import { clearWait, waitMarker } from './wait-marker.ts';

interface TaskFolderOptions {
  /** Absolute: `<root>/<project>/<task>`. */
  readonly folder: string;
  /** Tasks of the same project. */
  readonly dependsOn: readonly string[];
  /** The status of the runs of the task in that folder, which may be missing. */
  readonly runsOf: (folder: string) => Promise<TaskRuns>;
}

export interface TaskRuns {
  readonly anyActive: boolean;
  /** Whether the newest run is done; null: there is none. */
  readonly newestDone: boolean | null;
}

export function openTaskFolder({ folder, dependsOn, runsOf }: TaskFolderOptions): TaskFolder {
  return {
    done: () => doneSight(folder),
    waitMarker: () => waitMarker(folder),
    async refuseDone(number) {
      // An agent that claimed to be done does not wait, whatever marker it left.
      await clearWait(folder);
      const { kind } = await doneSight(folder);
      return kind === 'file' ? await renameToFreeNumber(join(folder, DONE), 'refused', number) : null;
    },
    async blockedBy() {
      const blockers = await Promise.all(dependsOn.map((task) => blocker(task, join(dirname(folder), task), runsOf)));
      return blockers.filter((found) => found !== null);
    },
  };
}

/** Null when the dependency is met: the task is done, or no run is active and its newest run succeeded. */
async function blocker(task: string, folder: string, runsOf: TaskFolderOptions['runsOf']): Promise<Blocker | null> {
  if ((await doneSight(folder)).kind === 'file') return null;
  const { anyActive, newestDone } = await runsOf(folder);
  if (anyActive) return { task, why: 'running' };
  if (newestDone === true) return null;
  return { task, why: newestDone === null ? 'missing' : 'failed' };
}

const DONE = 'DONE';

/** What has the name DONE in a task folder. Its content means nothing, so it is never opened. A missing folder has no DONE. */
async function doneSight(folder: string): Promise<DoneFileState> {
  try {
    const kind = kindOf(await lstat(join(folder, DONE)));
    return kind === null ? { kind: 'file' } : { kind: 'problem', why: `${DONE} is a ${kind}` };
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? { kind: 'absent' } : { kind: 'problem', why: `${DONE} cannot be read: ${code}` };
  }
}

/** Null for a regular file. */
function kindOf(found: Stats): string | null {
  if (found.isFile()) return null;
  if (found.isDirectory()) return 'directory';
  if (found.isSymbolicLink()) return 'symbolic link';
  if (found.isFIFO()) return 'named pipe';
  return found.isSocket() ? 'socket' : 'device';
}
