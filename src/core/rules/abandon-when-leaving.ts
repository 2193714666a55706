import { reasonToLeave } from '../leaving.ts';
import type { StepRule } from '../recipe.ts';

/** On the way out an iteration whose agent has not ended well is given up; one that has is still judged, unless we were told to leave at once. */
export const abandonWhenLeaving: StepRule = (iteration, view) => {
  const reason = reasonToLeave(view);
  if (reason === null) return null;
  if (iteration.judged) return null;
  if ((reason === 'drain' || reason === 'done') && iteration.last?.verdict === 'ok') return null;
  return {
    kind: 'say',
    event: { type: 'iteration.closed', iteration: iteration.number, result: 'abandoned', claim: null, accepted: false, zero_work: false },
  };
};
