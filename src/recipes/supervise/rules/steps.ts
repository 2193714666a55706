import type { StepRule, View } from '../../../engine/decide/recipe.ts';
import type { IterationResult } from '../../../journal/events/run.ts';
import type { OpenIteration } from '../../../journal/state/state.ts';
import { asking } from '../../shared/judging.ts';
import { lookingIn, wantsAnotherLife } from '../supervising.ts';

/** DONE is there before its agent was run, or an attempt that a usage limit turned away asked to wait: the life is not counted. */
export const leaveALifeNobodyNeeds: StepRule = (iteration, { state }) => {
  const { sight, wait } = state.task;
  if (!wantsAnotherLife(iteration) || sight === null || (sight.done.kind === 'absent' && wait === null)) return null;
  return { kind: 'say', event: { type: 'iteration.closed', iteration: iteration.number, result: 'abandoned', claim: null, accepted: false, zero_work: false } };
};

/** A life that was cut off, by a crash or by a usage limit, may have left a DONE. */
export const lookAgainBeforeTheAgentRuns: StepRule = (iteration, view) =>
  wantsAnotherLife(iteration) && view.state.task.sight === null ? lookingIn(view, iteration) : null;

/** The agent lives; again in the same iteration only when a usage limit is over. */
export const runTheRootAgent: StepRule = (iteration, view) => {
  const { state, nowMs } = view;
  if (!wantsAnotherLife(iteration)) return null;
  if (nowMs < state.limit.untilMs) return { kind: 'wait', untilMs: state.limit.untilMs };
  return asking(iteration, view, { role: 'work', failures: [...iteration.failures], previous_life: state.task.lastAttempt });
};

/** What the agent exited with is written down; it decides nothing. A life that our own death has cut off is not charged. */
export const closeTheLife: StepRule = (iteration, view) => ({
  kind: 'say',
  event: { type: 'iteration.closed', iteration: iteration.number, result: resultOf(iteration, view), claim: null, accepted: false, zero_work: false },
});

function resultOf({ last, restored }: OpenIteration, { state }: View): IterationResult {
  if (last?.verdict === 'lost') return 'abandoned';
  if (last?.verdict === 'ok' && restored.length > 0) return 'red';
  // One that says "do not restart me" has not failed, and neither has one without a word.
  return last?.verdict === 'ok' || last?.verdict === 'empty' || state.task.wait !== null ? 'green' : 'failed';
}
