import type { StartRule } from '../../../engine/decide/recipe.ts';
import { livesOf } from '../supervising.ts';

/** A job has one life; one we cut short ourselves was none. */
export const openTheOnlyLife: StartRule = (lane, view) =>
  livesOf(view) > 0 ? null : { kind: 'say', event: { type: 'iteration.opened', iteration: view.state.opened + 1, lane } };
