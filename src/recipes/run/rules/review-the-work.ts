import { asking } from '../../shared/asking.ts';
import { reasonToLeave } from '../../../limits/leaving.ts';
import type { StepRule, View } from '../../../engine/decide/recipe.ts';
import type { OpenIteration } from '../../../journal/state/state.ts';

/** Once enough iterations were green, each review prompt gets a fresh agent and the gates after it. On the way out no further one is asked. */
export const reviewTheWork: StepRule = (iteration, view) => {
  const { settings, state, nowMs } = view;
  if (!isDue(iteration, view) || reasonToLeave(view) !== null) return null;
  const review = settings.reviews?.prompts[iteration.review.next];
  if (!review) return null;
  if (nowMs < state.limit.untilMs) return { kind: 'wait', untilMs: state.limit.untilMs };
  return asking(iteration, view, { role: 'review', prompt: review.prompt, about: review.name, failures: [...(iteration.judged?.failures ?? [])] });
};

function isDue({ last, judged, review }: OpenIteration, { settings, state }: View): boolean {
  if (settings.reviews === null || last?.verdict !== 'ok') return false;
  return review.begun || (judged?.green === true && state.reviews.greenSince + 1 >= settings.reviews.after);
}
