import type { StartRule } from '../../../engine/decide/recipe.ts';
import { restartPauseMs } from '../../../limits/restart-pause.ts';
import { lastLifeOfThisSitting, specOf } from '../supervising.ts';

/** A pause after every life, whatever its exit code, counted from its end. */
export const pauseBetweenLives: StartRule = (_lane, view) => {
  const last = lastLifeOfThisSitting(view);
  if (!last) return null;
  const untilMs = last.atMs + restartPauseMs(view.state.failuresInARow, specOf(view));
  return view.nowMs < untilMs ? { kind: 'wait', untilMs } : null;
};
