import type { StepRule } from '../../../engine/decide/recipe.ts';
import { wantsAnotherLife } from '../wants-another-life.ts';

/** DONE is there before its agent was run, or an attempt that a usage limit turned away asked to wait: the life is not counted. */
export const leaveALifeNobodyNeeds: StepRule = (iteration, { state }) => {
  const { sight, wait } = state.task;
  if (!wantsAnotherLife(iteration) || sight === null || (sight.done.kind === 'absent' && wait === null)) return null;
  return { kind: 'say', event: { type: 'iteration.closed', iteration: iteration.number, result: 'abandoned', claim: null, accepted: false, zero_work: false } };
};
