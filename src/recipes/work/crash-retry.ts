import type { OpenIteration } from '../../journal/state/state.ts';
import type { CurrentTask } from '../../journal/state/work-state.ts';
import { crashPauseMs, MOST_CRASH_RETRIES } from '../../limits/retry-policy.ts';
import { reasonToAbandon } from '../../limits/time.ts';
import type { WorkView } from './task-progress.ts';

/** When the agent of a task is started again after a crash that changed nothing; null: it is not. Such a retry costs the task none of its tries. */
export function crashRetryAtMs(iteration: OpenIteration, view: WorkView): number | null {
  const crashes = iteration.currentTask?.crashes;
  if (crashes === undefined || !mayRetryCrash(iteration) || reasonToAbandon(view) !== null) return null;
  return crashes.lastMs + crashPauseMs(crashes.count, view.settings.limits.failurePauseMs);
}

/** A claim or a question of a crashed agent counts. */
export function mayRetryCrash({ currentTask, hasAsked }: OpenIteration): boolean {
  if (currentTask?.crashes === undefined || currentTask.crashes.count > MOST_CRASH_RETRIES || hasAsked) return false;
  return isUnchanged(currentTask) && !currentTask.isClaimed && currentTask.abandonedBecause === null && currentTask.resolves === 0;
}

/** Whether its branch is as it was when this try began. False while nobody has looked. */
export function isUnchanged({ settled, workspace }: CurrentTask): boolean {
  return settled !== null && settled.problem === null && workspace?.head !== undefined && settled.head === workspace.head;
}
