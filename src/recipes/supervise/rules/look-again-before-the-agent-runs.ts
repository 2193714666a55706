import { lookingIn } from '../looking.ts';
import type { StepRule } from '../../../engine/decide/recipe.ts';
import { wantsAnotherLife } from '../wants-another-life.ts';

/** A life that was cut off, by a crash or by a usage limit, may have left a DONE. */
export const lookAgainBeforeTheAgentRuns: StepRule = (iteration, view) =>
  wantsAnotherLife(iteration) && view.state.task.sight === null ? lookingIn(view, iteration) : null;
