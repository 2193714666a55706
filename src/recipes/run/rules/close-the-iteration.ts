import type { IterationResult } from '../../../journal/events/iteration.ts';
import { isAcceptable, isGreen } from '../../../proof/judge/acceptance.ts';
import type { StepRule, View } from '../../../engine/decide/recipe.ts';
import type { OpenIteration } from '../../../journal/state/state.ts';

/** The last step: says what the iteration was worth, and whether its claim is accepted. */
export const closeTheIteration: StepRule = (iteration, view) => {
  const claim = iteration.last?.claim ?? null;
  const accepted = isAcceptable(iteration, view) && isVerified(iteration, view);
  const refused = claim !== null && !accepted && isGreen(iteration);
  const zeroWork = (claim !== null || accepted) && iteration.judged?.changed === false;
  return {
    kind: 'say',
    event: { type: 'iteration.closed', iteration: iteration.number, result: refused ? 'red' : resultOf(iteration), claim, accepted, zero_work: zeroWork },
  };
};

/** Where a fresh checkout was asked for, nothing is accepted that was not seen green in one. */
function isVerified({ verified }: OpenIteration, { settings }: View): boolean {
  return !settings.loop?.verifyClean || verified?.green === true;
}

function resultOf(iteration: OpenIteration): IterationResult {
  if (iteration.last?.verdict !== 'ok') return 'failed';
  return isGreen(iteration) ? 'green' : 'red';
}
