import type { StartRule, StepRule, View } from '../../../engine/decide/recipe.ts';
import type { IterationResult } from '../../../journal/events/run.ts';
import type { OpenIteration } from '../../../journal/state/state.ts';
import { asking, protectedBy } from '../../shared/judging.ts';
import { isDoneByCheating, lastLifeOfThisSitting, lookingAfter, lookingIn, wantsAnotherLife } from '../supervising.ts';

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

/** Whatever the agent exited with, its folder says whether it is done. */
export const lookAfterALife: StartRule = (_lane, view) => (view.state.task.sight === null && lastLifeOfThisSitting(view) ? lookingAfter(view) : null);

/** A claim needs a proof: all checks, on the workspace as it is now. Who leaves while children are at work has no proof to hope for. */
export const judgeTheDone: StartRule = (_lane, view) => {
  const { task, leaving, children } = view.state;
  const { gates } = view.settings;
  if (task.sight?.done.kind !== 'file' || task.judged !== null || gates.length === 0 || isDoneByCheating(view)) return null;
  if (leaving && children.active.length > 0) return null;
  const number = task.refusals + 1;
  return {
    kind: 'do',
    effect: {
      kind: 'run-gates',
      key: `gates:done.${number}`,
      iteration: 0,
      attempt: number,
      where: 'workspace',
      gates: [...gates],
      name_tree: false,
      keep_tree: false,
      phase: `done_${number}`,
      protect: protectedBy(view),
      tree: null,
      until: null,
    },
  };
};

/** The checks do not confirm it, or it was come by in a way that does not count: it is taken out of the way, and the next life is told why. */
export const refuseTheDone: StartRule = (_lane, view) => {
  const { task } = view.state;
  if (task.sight?.done.kind !== 'file' || (task.judged?.green !== false && !isDoneByCheating(view))) return null;
  const number = task.refusals + 1;
  return { kind: 'do', effect: { kind: 'refuse-done', key: `refuse-done:${number}`, iteration: 0, attempt: 0, number } };
};
