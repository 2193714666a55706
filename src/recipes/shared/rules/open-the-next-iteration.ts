import { failurePauseMs } from '../../../limits/backoff.ts';
import type { StartRule } from '../../../engine/decide/recipe.ts';
import { noLaterThanTheEnd } from '../../../limits/run-time.ts';

/** One more trip through the steps; after several failures in a row only when a pause is over. */
export const openTheNextIteration: StartRule = (lane, view) => {
  const { state, settings, nowMs } = view;
  const lastMs = state.closed.at(-1)?.atMs ?? 0;
  const untilMs = lastMs + failurePauseMs(state.failuresInARow, settings.limits.failurePauseMs);
  if (nowMs < untilMs) return { kind: 'wait', untilMs: noLaterThanTheEnd(untilMs, view) };
  return { kind: 'say', event: { type: 'iteration.opened', iteration: state.opened + 1, lane } };
};
