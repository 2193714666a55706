import type { IterationResult } from '../../model/events/iteration.ts';
import type { StepRule } from '../recipe.ts';
import type { OpenIteration } from '../state.ts';

/** The last step: says what the iteration was worth, and whether its claim is accepted. */
export const closeTheIteration: StepRule = (iteration, { state, settings }) => {
  const claim = iteration.last?.claim ?? null;
  const result = resultOf(iteration);
  const tree = iteration.judged?.tree ?? null;
  const zeroWork = claim !== null && tree !== null && tree === state.run?.startTree;
  const accepted = claim !== null && result === 'green' && !(settings.requireChange && zeroWork);
  const refused = result === 'green' && claim !== null && !accepted;
  return {
    kind: 'say',
    event: { type: 'iteration.closed', iteration: iteration.number, result: refused ? 'red' : result, claim, accepted, zero_work: zeroWork },
  };
};

function resultOf({ last, judged }: OpenIteration): IterationResult {
  if (last?.verdict !== 'ok') return 'failed';
  return judged?.green ? 'green' : 'red';
}
