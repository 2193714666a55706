import type { Claim } from '../../../journal/words/claim.ts';
import type { IterationResult } from '../../../journal/events/iteration.ts';
import { reasonToLeave } from '../../../limits/leaving.ts';
import type { StepRule, View } from '../../../engine/decide/recipe.ts';
import { isComplete } from '../../../plans/review/next-turn.ts';
import type { OpenIteration } from '../../../journal/state/state.ts';
import { storiesSpec } from '../turning.ts';

/** The last step: says what the turn was worth, and whether every story is proven by it. */
export const closeTheTurn: StepRule = (iteration, view) => {
  const { plan } = view.state.stories;
  const moved = iteration.turn?.recorded?.moved === true;
  const accepted = moved && plan !== null && isComplete(plan, storiesSpec(view).skipReview);
  return {
    kind: 'say',
    event: {
      type: 'iteration.closed',
      iteration: iteration.number,
      result: accepted ? 'green' : resultOf(iteration, view),
      claim: claimOf(iteration, accepted),
      accepted,
      zero_work: false,
    },
  };
};

/** The state of the list alone is a claim too. */
function claimOf({ last }: OpenIteration, accepted: boolean): Claim | null {
  const claim = last?.claim ?? null;
  if (claim?.by === 'promise') return claim;
  return accepted ? { by: 'task-state', text: 'every story is approved' } : claim;
}

function resultOf({ turn, last }: OpenIteration, view: View): IterationResult {
  // Nobody was let in.
  if (turn === null) return 'abandoned';
  if (turn.recorded?.moved) return turn.refused.length + turn.undone.length > 0 ? 'red' : 'green';
  if (reasonToLeave(view) !== null && (last === null || last.verdict !== 'ok' || reasonToLeave(view) === 'abort')) return 'abandoned';
  return last?.verdict === 'ok' ? 'red' : 'failed';
}
