import { lookingIn } from '../looking.ts';
import type { StepRule } from '../../../engine/decide/recipe.ts';

/** What came from it and is still at work must be known before its checks look. */
export const lookAfterAJob: StepRule = (iteration, view) => (iteration.last !== null && view.state.task.sight === null ? lookingIn(view, iteration) : null);
