import type { IterationResult } from '../../../journal/events/iteration.ts';
import { reasonToLeave } from '../../../limits/leaving.ts';
import type { StepRule, View } from '../../../engine/decide/recipe.ts';
import type { OpenIteration } from '../../../journal/state/state.ts';

/** The last step: the base says whether it is done, never an exit code. */
export const closeTheTask: StepRule = (iteration, view) => {
  const { hand, number } = iteration;
  if (hand === null) return null;
  const isDone = hand.released === 'done';
  return {
    kind: 'say',
    event: {
      type: 'iteration.closed',
      iteration: number,
      result: resultOf(iteration, view),
      claim: hand.isClaimed ? { by: 'task-state', text: hand.task.id } : null,
      accepted: isDone,
      zero_work: isDone && hand.settled?.changed === false,
    },
  };
};

function resultOf({ hand, last }: OpenIteration, view: View): IterationResult {
  if (hand?.released === 'done') return 'green';
  if (hand?.givenUp != null || (hand?.released === 'free' && reasonToLeave(view) !== null)) return 'abandoned';
  if (hand?.isClaimed) return 'red';
  return last?.verdict === 'ok' ? 'red' : 'failed';
}
