import type { Decision } from '../../../engine/decide/decision.ts';
import { reasonToLeave } from '../../../limits/leaving.ts';
import { secondLookIsDue, verificationIsDue } from '../outstanding-proof.ts';
import type { StepRule, View } from '../../../engine/decide/recipe.ts';
import type { OpenIteration } from '../../../journal/state/state.ts';
import { wantsAnotherTry } from '../../../limits/wants-another-try.ts';

/** On the way out an iteration whose agent has not ended well is given up; one that has is still judged, unless we were told to leave at once. */
export const abandonWhenLeaving: StepRule = (iteration, view) => {
  const reason = reasonToLeave(view);
  if (reason === null) return null;
  if (iteration.judged) return reason === 'abort' && isUnproven(iteration, view) ? abandoned(iteration) : null;
  if (['drain', 'done', 'limit'].includes(reason) && iteration.last?.verdict === 'ok') return null;
  if ((reason === 'time' || reason === 'cost') && isOver(iteration, view)) return null;
  return abandoned(iteration);
};

function abandoned({ number }: OpenIteration): Decision {
  return { kind: 'say', event: { type: 'iteration.closed', iteration: number, result: 'abandoned', claim: null, accepted: false, zero_work: false } };
}

/** Its gates are green, but a look that would prove it is still to come: who leaves at once does not wait for that. */
function isUnproven(iteration: OpenIteration, view: View): boolean {
  return secondLookIsDue(iteration, view) || verificationIsDue(iteration, view);
}

/** What an agent had done when its time or money was up is kept, and the gates say what it is worth. */
function isOver({ last, repeated }: OpenIteration, { settings }: View): boolean {
  return last !== null && !wantsAnotherTry(last.verdict, repeated, settings.limits.repeats);
}
