import { failurePauseMs } from '../../../limits/backoff.ts';
import type { StartRule, View } from '../../../engine/decide/recipe.ts';
import { noLaterThanTheEnd } from '../../../limits/run-time.ts';
import { againAtMs } from '../working.ts';

/** Each lane rests after a task, longer after several failures in a row; all of them while the provider has a limit, and after trouble with the plan. */
export const restBetweenTasks: StartRule = (lane, view) => {
  const untilMs = Math.max(restOf(lane, view), troubleOf(view), view.state.limit.untilMs);
  return view.nowMs < untilMs ? { kind: 'wait', untilMs: noLaterThanTheEnd(untilMs, view) } : null;
};

function restOf(lane: number, { state, settings }: View): number {
  const sinceMs = state.tasks.idleSinceMs[lane];
  if (sinceMs === undefined || state.tasks.taken !== null) return 0;
  return sinceMs + Math.max(settings.work?.pauseMs ?? 0, failurePauseMs(state.failuresInARow, settings.limits.failurePauseMs));
}

/** A plan in the middle of an edit is whole again soon. */
function troubleOf({ state: { tasks } }: View): number {
  return tasks.trouble === null ? 0 : againAtMs(tasks.trouble);
}
