import type { View } from '../engine/decide/recipe.ts';
import { budgetOf, costIsSpent } from './money.ts';

type Timed = Pick<View, 'state' | 'settings'>;

/** Epoch ms at which the time of the whole run is up; null when it has none. What lies between two sittings is not counted. */
export function timeIsUpAtMs({ state, settings }: Timed): number | null {
  const timeMs = budgetOf(settings).timeMs;
  return timeMs === 0 ? null : state.time.sittingFromMs + (timeMs - state.time.beforeMs);
}

export function timeIsUp(view: View): boolean {
  const atMs = timeIsUpAtMs(view);
  return atMs !== null && view.nowMs >= atMs;
}

/** A wait is over at the latest when the time is. */
export function noLaterThanTheEnd(untilMs: number, view: Timed): number {
  return Math.min(untilMs, timeIsUpAtMs(view) ?? untilMs);
}

/** Why an iteration that has not come to its gates is given up instead of waited for; null while there is no reason. */
export function reasonToLeave(view: View): 'abort' | 'drain' | 'done' | 'fatal' | 'limit' | 'cost' | 'time' | null {
  const { leaving, fatal } = view.state;
  if (leaving) return leaving.what;
  if (fatal) return 'fatal';
  if (isAccepted(view)) return 'done';
  if (limitOutlasts(view)) return 'limit';
  if (costIsSpent(view)) return 'cost';
  return timeIsUp(view) ? 'time' : null;
}

/** True when the waits ordered since the run was started or resumed, the present one included, are longer than the operator allows. */
export function limitOutlasts({ state, settings }: View): boolean {
  const { limitWaitMs } = settings.limits;
  return limitWaitMs > 0 && state.limit.strikes > 0 && state.limit.waitedMs > limitWaitMs;
}

/** One task of a plan that is done is no reason to leave the others. */
function isAccepted({ state, settings }: View): boolean {
  return settings.work === null && state.closed.some((iteration) => iteration.accepted);
}
