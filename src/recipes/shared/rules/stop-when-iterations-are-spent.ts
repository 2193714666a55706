import { notDone } from '../../../journal/words/outcome.ts';
import type { RunSettings } from '../../../settings/schema/run-settings.ts';
import type { StopRule } from '../../../engine/decide/recipe.ts';

/** The last allowed iteration is open or closed; it still goes on to its end, and may still be the good one. What we left ourselves is not charged. */
export const stopWhenIterationsAreSpent: StopRule = ({ state, settings }) => {
  if (settings.maximumIterations === 0 || state.opened - state.abandoned < settings.maximumIterations) return null;
  return { kind: 'stop', outcome: notDone('max_iterations', messageFor(settings)) };
};

/** In the words of the seed the recipe is of. */
function messageFor({ work, stories, maximumIterations }: RunSettings): string {
  if (stories !== null) return `Max iterations (${maximumIterations}) reached without completion.`;
  return work === null ? 'Maximum iterations reached without completion response.' : 'Maximum iterations reached; there are tasks left.';
}
