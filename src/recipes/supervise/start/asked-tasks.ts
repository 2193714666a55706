import { dirname, join } from 'node:path';
import { childrenFolder, keptRequest } from '../children/child-place.ts';
import { foldersIn } from '../../../kit/files/folders-in.ts';
import { taskRunsFolder } from '../../../store/hold-task-folder.ts';
import { isTaskId } from '../../../store/task-ids.ts';

/** A run that keeps what was asked of it. */
interface Asked {
  readonly run: string;
  readonly taskFolder: string;
}

/** The folders of the tasks that children of those runs were asked for. Each request is read once. */
export function openAskedTasks(runs: readonly Asked[]): () => Iterable<string> {
  const read = new Set<string>();
  const tasks = new Set<string>();

  function readNew({ run, taskFolder }: Asked): void {
    const runFolder = join(taskRunsFolder(taskFolder), run);
    for (const child of foldersIn(childrenFolder(runFolder))) {
      const request = read.has(child) ? null : keptRequest(runFolder, child);
      if (request === null) continue;
      read.add(child);
      const task = request.task ?? '';
      tasks.add(isTaskId(task) ? join(dirname(taskFolder), task) : taskFolder);
    }
  }

  return () => {
    for (const run of runs) readNew(run);
    return tasks;
  };
}
