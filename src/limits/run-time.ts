import { budgetOf } from './budget.ts';
import type { View } from '../engine/decide/recipe.ts';

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
