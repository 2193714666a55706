import type { StartRule } from '../../../engine/decide/recipe.ts';
import { failurePauseMs } from '../../../limits/retry.ts';
import { noLaterThanTheEnd } from '../../../limits/time.ts';

const LONG_MS = 24 * 60 * 60_000;

/** What runs goes on; nothing new is started until the operator says so. */
export const waitWhilePaused: StartRule = (_lane, view) =>
  view.state.paused ? { kind: 'wait', untilMs: noLaterThanTheEnd(view.nowMs + LONG_MS, view) } : null;

/** One more trip through the steps; after several failures in a row only when a pause is over. */
export const openTheNextIteration: StartRule = (lane, view) => {
  const { state, settings, nowMs } = view;
  const lastMs = state.closed.at(-1)?.atMs ?? 0;
  const untilMs = lastMs + failurePauseMs(state.failuresInARow, settings.limits.failurePauseMs);
  if (nowMs < untilMs) return { kind: 'wait', untilMs: noLaterThanTheEnd(untilMs, view) };
  return { kind: 'say', event: { type: 'iteration.opened', iteration: state.opened + 1, lane } };
};
