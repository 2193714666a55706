import type { View } from '../../engine/decide/recipe.ts';
import type { OpenIteration } from '../../journal/state/state.ts';
import type { CurrentTask, Since } from '../../journal/state/work-state.ts';
import { mayRetry } from '../../limits/retry-policy.ts';
import { reasonToAbandon } from '../../limits/time.ts';
import type { GateSpec } from '../../settings/schema/run-settings.ts';

/** When to ask for a task again after there was none; null: nobody else is working, so nothing will change by itself. */
export function nextTakeAtMs({ state }: View): number | null {
  const { noTask } = state.tasks;
  return noTask?.held ? nextPollAtMs(noTask) : null;
}

/** At first every two seconds, then less and less often, down to once a minute. */
export function nextPollAtMs({ sinceMs, atMs }: Since): number {
  return atMs + Math.min(60_000, Math.max(2_000, (atMs - sinceMs) / 10));
}

/** Whether its agents have ended: the worktree can be judged. */
export function isReadyToJudge({ last, repeated }: OpenIteration, held: CurrentTask, view: View): boolean {
  if (held.abandonedBecause !== null || held.problem !== null) return true;
  // What a person has allowed is merged as it is.
  if (held.claim?.allowed && held.workspace !== null) return true;
  // An agent that was asked to resolve a conflict, or that has claimed to be done, is not started again.
  if (held.resolves > 0 || (held.isClaimed && last !== null)) return true;
  if (last === null) return reasonToAbandon(view) !== null;
  return !mayRetry(last.verdict, repeated, view.settings.limits.repeats) || reasonToAbandon(view) !== null;
}

/** The gates of a task: its own, then those of the whole plan. */
export function gatesOf({ task }: CurrentTask, { settings }: View): GateSpec[] {
  const timeoutMs = settings.work?.verifyTimeoutMs ?? 0;
  const own = task.verify.map((command): GateSpec => ({ command, failAction: 'APPEND', hint: null, timeoutMs }));
  return [...own, ...settings.gates];
}

/** Claimed, complete and not abandoned: it can be judged and merged. */
export function isUpForProof(iteration: OpenIteration, view: View): boolean {
  const { currentTask } = iteration;
  if (!currentTask?.isClaimed || currentTask.abandonedBecause !== null || currentTask.settled === null || currentTask.settled.problem !== null) return false;
  // A try that changed protected paths does not count, however green it is.
  if (currentTask.settled.restored.length > 0) return false;
  // A claim after the worktree was removed comes too late.
  if (currentTask.isClosed || currentTask.released !== null) return false;
  return reasonToAbandon(view) !== 'abort';
}

/** Its gates were green in the worktree, or it has none. */
export function isProvenAlone(iteration: OpenIteration, view: View): boolean {
  const { currentTask, judged } = iteration;
  return currentTask !== null && (judged?.green === true || gatesOf(currentTask, view).length === 0);
}

/** How often an agent of this run failed on a task. */
export function failedTries({ state }: Pick<View, 'state'>): number {
  const { failed, unfinished, unproven, conflicts } = state.tasks.counts;
  return failed + unfinished + unproven + conflicts;
}
