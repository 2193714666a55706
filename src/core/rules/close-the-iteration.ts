import type { IterationResult } from '../../model/events/iteration.ts';
import type { StepRule } from '../recipe.ts';
import type { OpenIteration } from '../state.ts';

/** The last step: says what the iteration was worth, and whether its claim is accepted. */
export const closeTheIteration: StepRule = (iteration, { settings }) => {
  const claim = iteration.last?.claim ?? null;
  const result = resultOf(iteration);
  const changed = iteration.judged?.changed ?? null;
  const zeroWork = claim !== null && changed === false;
  const accepted = claim !== null && result === 'green' && (changed === true || !settings.requireChange);
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
