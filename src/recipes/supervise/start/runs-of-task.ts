import { briefFrom } from '../../../store/runs/run-brief.ts';
import { listFolder } from '../../../store/runs/run-lock.ts';
import { openRunsWatch } from '../../../store/runs/runs-watch.ts';
import type { TaskRuns } from '../task-folder/open-task-folder.ts';
import { isDone } from '../../../journal/words/outcome.ts';
import { taskRunsFolder } from '../../../store/hold-task-folder.ts';

/** How tasks stand that another one depends on. Meant to be asked again and again: what cannot change any more is not read again. */
export function openRunsOfTasks(): (taskFolder: string) => Promise<TaskRuns> {
  const tasks = new Map<string, () => Promise<TaskRuns>>();
  return (taskFolder) => {
    const runsOfTask = tasks.get(taskFolder) ?? openRunsOfTask(taskRunsFolder(taskFolder));
    tasks.set(taskFolder, runsOfTask);
    return runsOfTask();
  };
}

/** Told by its newest run that no other run has asked for. */
function openRunsOfTask(runsFolder: string): () => Promise<TaskRuns> {
  const watch = openRunsWatch(runsFolder);
  const askedFor = new Set<string>();
  return async () => {
    if ((await watch.active()).length > 0) return { anyActive: true, newestDone: null };
    const listing = await listFolder(runsFolder);
    for (const run of listing.names.filter((name) => !askedFor.has(name)).reverse()) {
      const brief = await briefFrom(listing, run);
      if (brief?.kind !== 'run') continue;
      if (brief.task?.parent === null) return { anyActive: false, newestDone: brief.stopped !== null && isDone(brief.stopped) };
      askedFor.add(run);
    }
    return { anyActive: false, newestDone: null };
  };
}
