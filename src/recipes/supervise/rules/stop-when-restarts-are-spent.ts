import { notDone } from '../../../journal/words/outcome.ts';
import type { StopRule } from '../../../engine/decide/recipe.ts';
import { livesOf, specOf } from '../supervising.ts';

/** The agent was run as often as it may be. Asked only when the look before the next life has shown no DONE (the seed's order). */
export const stopWhenRestartsAreSpent: StopRule = (view) => {
  const { maxRestarts } = specOf(view);
  const { sight } = view.state.task;
  const hasLooked = sight?.before === view.state.opened + 1 && sight.done.kind === 'absent';
  if (!hasLooked || livesOf(view) < maxRestarts) return null;
  return { kind: 'stop', outcome: notDone('max_restarts', `max restarts (${maxRestarts}) exceeded`) };
};
