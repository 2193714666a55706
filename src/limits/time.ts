import type { View } from '../engine/decide/recipe.ts';
import { budgetOf, factsOf } from '../settings/schema/recipe-facts.ts';
import { costIsSpent, dayIsSpent } from './money.ts';

type Timed = Pick<View, 'state' | 'settings'>;

/** Epoch ms at which the run's time budget is used up; null without one. Time between a stop and a resume does not count. */
export function timeIsUpAtMs({ state, settings }: Timed): number | null {
  const timeMs = budgetOf(settings).timeMs;
  return timeMs === 0 ? null : state.time.sittingFromMs + (timeMs - state.time.beforeMs);
}

export function timeIsUp(view: View): boolean {
  const atMs = timeIsUpAtMs(view);
  return atMs !== null && view.nowMs >= atMs;
}

/** Cuts a wait short at the end of the time budget. */
export function untilTimeIsUp(untilMs: number, view: Timed): number {
  return Math.min(untilMs, timeIsUpAtMs(view) ?? untilMs);
}

/** Why Ralph abandons an iteration that has not reached its gates, instead of waiting for it; null while there is no reason. */
export function reasonToAbandon(view: View): 'abort' | 'drain' | 'done' | 'fatal' | 'limit' | 'cost' | 'time' | null {
  const { leaving, fatal } = view.state;
  if (leaving) return leaving.what;
  if (fatal) return 'fatal';
  if (isAccepted(view)) return 'done';
  if (limitWaitIsTooLong(view)) return 'limit';
  if (costIsSpent(view) || dayIsSpent(view) || view.state.fleet !== undefined) return 'cost';
  return timeIsUp(view) ? 'time' : null;
}

/** True when the waits for usage limits since the start or the last resume, including the current one, exceed what the operator allows. */
export function limitWaitIsTooLong({ state, settings }: View): boolean {
  const { limitWaitMs } = settings.limits;
  return limitWaitMs > 0 && state.limit.strikes > 0 && state.limit.waitedMs > limitWaitMs;
}

/** In a plan, one finished task is no reason to abandon the others. */
function isAccepted({ state, settings }: View): boolean {
  return !factsOf(settings).hasTasks && state.closed.some((iteration) => iteration.accepted);
}
