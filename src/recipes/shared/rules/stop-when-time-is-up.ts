import { formatDuration } from '../../../kit/pure/duration.ts';
import { notDone } from '../../../journal/words/outcome.ts';
import { budgetOf } from '../../../limits/budget.ts';
import type { StopRule } from '../../../engine/decide/recipe.ts';
import { timeIsUp } from '../../../limits/run-time.ts';

/** The time of the whole run is up. What runs was given no more than that; what it left is still judged. */
export const stopWhenTimeIsUp: StopRule = (view) => {
  if (!timeIsUp(view)) return null;
  return { kind: 'stop', outcome: notDone('timeout', `Time limit of ${formatDuration(budgetOf(view.settings).timeMs)} reached`) };
};
