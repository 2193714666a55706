import { judging } from '../judging.ts';
import { reasonToLeave } from '../../../limits/leaving.ts';
import type { StepRule, View } from '../../../engine/decide/recipe.ts';
import type { OpenIteration } from '../../../journal/state/state.ts';
import { wantsAnotherTry } from '../../../limits/wants-another-try.ts';

/** Whatever the agent says, the gates look at what it left: all of them, every time, also after a failed attempt. */
export const judgeByTheGates: StepRule = (iteration, view) => {
  if (iteration.last === null || iteration.judged !== null || isAskedAgain(iteration, view)) return null;
  return judging(iteration, view);
};

/** The gates wait for the next attempt at a review that came to nothing. */
function isAskedAgain({ review }: OpenIteration, view: View): boolean {
  if (review.last === null || reasonToLeave(view) !== null) return false;
  return wantsAnotherTry(review.last, review.repeated, view.settings.limits.repeats);
}
