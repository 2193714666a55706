import type { StepRule, View } from '../../../engine/decide/recipe.ts';
import type { IterationResult } from '../../../journal/events/run.ts';
import { answersAbout } from '../../../journal/state/questions.ts';
import type { OpenIteration } from '../../../journal/state/state.ts';
import { agentRequest } from '../../shared/effect-requests.ts';
import { told } from '../../shared/rules/questions.ts';
import { lookDuringRequest, needsToRunAgent } from '../supervised-task.ts';

/** The start does not count when DONE appeared before the agent ran, or when an attempt that met a usage limit asked to wait. */
export const skipAnUnneededStart: StepRule = (iteration, { state }) => {
  const { lastLook, wait } = state.task;
  if (!needsToRunAgent(iteration) || lastLook === null || (lastLook.done.kind === 'absent' && wait === null)) return null;
  return { kind: 'say', event: { type: 'iteration.closed', iteration: iteration.number, result: 'abandoned', claim: null, accepted: false, zero_work: false } };
};

/** An agent that was cut off, by a crash or by a usage limit, may have left a DONE. */
export const lookAgainBeforeTheAgentRuns: StepRule = (iteration, view) =>
  needsToRunAgent(iteration) && view.state.task.lastLook === null ? lookDuringRequest(view, iteration) : null;

/** Starts the agent; a retry in the same iteration follows only a usage limit. */
export const runTheRootAgent: StepRule = (iteration, view) => {
  const { state, nowMs } = view;
  if (!needsToRunAgent(iteration)) return null;
  if (nowMs < state.limit.untilMs) return { kind: 'wait', untilMs: state.limit.untilMs };
  return agentRequest(iteration, view, {
    role: 'work',
    failures: [...iteration.failures],
    previous_life: state.task.lastAttempt,
    ...told(answersAbout(null, state)),
  });
};

/** Records the exit code of the agent, which decides nothing. A start that was cut off by the death of the loop does not count. */
export const closeTheStart: StepRule = (iteration, view) => ({
  kind: 'say',
  event: { type: 'iteration.closed', iteration: iteration.number, result: resultOf(iteration, view), claim: null, accepted: false, zero_work: false },
});

function resultOf({ last, restored }: OpenIteration, { state }: View): IterationResult {
  if (last?.verdict === 'lost') return 'abandoned';
  if (last?.verdict === 'ok' && restored.length > 0) return 'red';
  // An agent that asks not to be restarted has not failed, and neither has one without output.
  return last?.verdict === 'ok' || last?.verdict === 'empty' || state.task.wait !== null ? 'green' : 'failed';
}
