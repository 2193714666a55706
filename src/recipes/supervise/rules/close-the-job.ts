import type { IterationResult } from '../../../journal/events/iteration.ts';
import type { StepRule, View } from '../../../engine/decide/recipe.ts';
import type { OpenIteration } from '../../../journal/state/state.ts';

/** A job claims nothing: that its agent ended well is its claim. */
export const closeTheJob: StepRule = (iteration, view) => {
  const result = resultOf(iteration, view);
  return {
    kind: 'say',
    event: { type: 'iteration.closed', iteration: iteration.number, result, claim: null, accepted: result === 'green', zero_work: false },
  };
};

function resultOf(iteration: OpenIteration, view: View): IterationResult {
  if (iteration.last?.verdict === 'lost') return 'abandoned';
  if (!endedWell(iteration, view)) return 'failed';
  return iteration.judged?.green === true && iteration.restored.length === 0 ? 'green' : 'red';
}

/** A plain command may be silent; an agent that says nothing has done nothing. */
function endedWell({ last }: OpenIteration, { settings }: View): boolean {
  return last?.verdict === 'ok' || (last?.verdict === 'empty' && settings.agent.kind === 'command');
}
