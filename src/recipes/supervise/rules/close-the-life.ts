import type { IterationResult } from '../../../journal/events/iteration.ts';
import type { StepRule, View } from '../../../engine/decide/recipe.ts';
import type { OpenIteration } from '../../../journal/state/state.ts';

/** What the agent exited with is written down; it decides nothing. A life that our own death has cut off is not charged. */
export const closeTheLife: StepRule = (iteration, view) => ({
  kind: 'say',
  event: { type: 'iteration.closed', iteration: iteration.number, result: resultOf(iteration, view), claim: null, accepted: false, zero_work: false },
});

function resultOf({ last, restored }: OpenIteration, { state }: View): IterationResult {
  if (last?.verdict === 'lost') return 'abandoned';
  if (last?.verdict === 'ok' && restored.length > 0) return 'red';
  // One that says "do not restart me" has not failed, and neither has one without a word.
  return last?.verdict === 'ok' || last?.verdict === 'empty' || state.task.wait !== null ? 'green' : 'failed';
}
