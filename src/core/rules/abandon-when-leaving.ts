import { reasonToLeave } from '../leaving.ts';
import type { StepRule, View } from '../recipe.ts';
import type { OpenIteration } from '../state.ts';
import { wantsAnotherTry } from '../wants-another-try.ts';

/** On the way out an iteration whose agent has not ended well is given up; one that has is still judged, unless we were told to leave at once. */
export const abandonWhenLeaving: StepRule = (iteration, view) => {
  const reason = reasonToLeave(view);
  if (reason === null) return null;
  if (iteration.judged) return null;
  if ((reason === 'drain' || reason === 'done') && iteration.last?.verdict === 'ok') return null;
  if ((reason === 'time' || reason === 'cost') && isOver(iteration, view)) return null;
  return {
    kind: 'say',
    event: { type: 'iteration.closed', iteration: iteration.number, result: 'abandoned', claim: null, accepted: false, zero_work: false },
  };
};

/** What an agent had done when its time or money was up is kept, and the gates say what it is worth. */
function isOver({ last, repeated }: OpenIteration, { settings }: View): boolean {
  return last !== null && !wantsAnotherTry(last.verdict, repeated, settings.limits.repeats);
}
