import type { StartRule, StepRule, StopRule, View } from '../../../engine/decide/recipe.ts';
import type { IterationResult } from '../../../journal/events/run.ts';
import type { ClosedIteration, OpenIteration } from '../../../journal/state/state.ts';
import { notDone } from '../../../journal/words/outcome.ts';
import { countedStarts, lookDuringRequest } from '../supervised-task.ts';

/** A job has one start of its agent; a start that was cut short by Ralph does not count. */
export const openTheOnlyStart: StartRule = (lane, view) =>
  countedStarts(view) > 0 ? null : { kind: 'say', event: { type: 'iteration.opened', iteration: view.state.opened + 1, lane } };

/** A job needs no claim: the success of its agent is its claim. */
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

/** A plain command may be silent; an agent without output has done nothing. */
function endedWell({ last }: OpenIteration, { settings }: View): boolean {
  return last?.verdict === 'ok' || (last?.verdict === 'empty' && settings.agent.kind === 'command');
}

/** The checks of a job need to know which of its children are still running. */
export const lookAfterAJob: StepRule = (iteration, view) =>
  iteration.last !== null && view.state.task.lastLook === null ? lookDuringRequest(view, iteration) : null;

/** The agent has ended: the job is done if the agent succeeded and every check is green. */
export const stopWhenTheJobIsOver: StopRule = (view) => {
  const life = view.state.closed.findLast(({ result }) => result !== 'abandoned');
  if (!life) return null;
  if (!life.accepted) return { kind: 'stop', outcome: notDone('max_iterations', whyNot(life)) };
  const ending = { claim: null, unproven: view.settings.gates.length === 0, zero_work: false, signal: null, exit_code: 0 };
  return { kind: 'stop', outcome: { stop_reason: 'completed', message: wordsFor(view), ...ending } };
};

function whyNot({ entry: { error, checks, restored } }: ClosedIteration): string {
  if (error !== null) return error;
  if (restored.length > 0) return `the job changed protected files, which were reverted: ${restored.join(', ')}`;
  const red = checks.filter(({ green }) => !green).map(({ command }) => command);
  return red.length === 0 ? 'the job did not end well' : `the job ended, but these checks are red: ${red.join(', ')}`;
}

function wordsFor({ settings }: View): string {
  return settings.gates.length === 0 ? 'The job ended well; no check was there to prove it' : 'The job ended well, and all checks passed';
}
