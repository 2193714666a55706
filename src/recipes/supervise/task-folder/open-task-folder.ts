import { dirname, join } from 'node:path';
import type { TaskFolder } from '../../../engine/ports/task-folder.ts';
import type { Blocker } from '../../../journal/events/task.ts';
import { DONE, doneSight } from './done-sight.ts';
import { setAside } from './set-aside.ts';
import { clearWait, waitMarker } from './wait-marker.ts';

interface TaskFolderOptions {
  /** Absolute: `<root>/<project>/<task>`. */
  readonly folder: string;
  /** Tasks of the same project. */
  readonly dependsOn: readonly string[];
  /** What is known of the runs of the task in that folder, which may not be there. */
  readonly runsOf: (folder: string) => Promise<TaskRuns>;
}

export interface TaskRuns {
  readonly anyActive: boolean;
  /** Whether the newest one is done; null: there is none. */
  readonly newestDone: boolean | null;
}

export function openTaskFolder({ folder, dependsOn, runsOf }: TaskFolderOptions): TaskFolder {
  return {
    done: () => doneSight(folder),
    waitMarker: () => waitMarker(folder),
    async refuseDone(number) {
      // Who claimed to be done does not wait, whatever else it has left.
      await clearWait(folder);
      const { kind } = await doneSight(folder);
      return kind === 'file' ? await setAside(join(folder, DONE), 'refused', number) : null;
    },
    async blockedBy() {
      const blockers = await Promise.all(dependsOn.map((task) => blocker(task, join(dirname(folder), task), runsOf)));
      return blockers.filter((found) => found !== null);
    },
  };
}

/** Null when nothing is to be waited for: the task is done, or nobody works on it and its newest run came to its end. */
async function blocker(task: string, folder: string, runsOf: TaskFolderOptions['runsOf']): Promise<Blocker | null> {
  if ((await doneSight(folder)).kind === 'file') return null;
  const { anyActive, newestDone } = await runsOf(folder);
  if (anyActive) return { task, why: 'running' };
  if (newestDone === true) return null;
  return { task, why: newestDone === null ? 'missing' : 'failed' };
}
