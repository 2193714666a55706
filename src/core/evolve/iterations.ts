import type { Effect, Failure } from '../../model/effect.ts';
import type { AttemptEnded } from '../../model/events/attempt.ts';
import type { GateResult, GatesJudged } from '../../model/events/gates.ts';
import { guardrailMessage } from '../feedback.ts';
import type { OpenIteration, RunState, SeenWork } from '../state.ts';

/** An attempt counts from its intent on, so that no number is ever used twice. */
export function whenBegun(state: RunState, effect: Effect): RunState {
  if (effect.kind !== 'run-agent') return state;
  return withIteration(state, effect.iteration, (iteration) => ({ ...iteration, attempts: Math.max(iteration.attempts, effect.attempt) }));
}

export function afterAttempt(state: RunState, body: AttemptEnded): RunState {
  return withIteration(state, body.iteration, (iteration) => ({
    ...iteration,
    repeated: iteration.repeated + (body.verdict === 'empty' || body.verdict === 'lost' ? 1 : 0),
    last: { attempt: body.attempt, verdict: body.verdict, claim: body.claim, why: body.why },
    judged: null,
  }));
}

/** Gates that were cut off have judged nothing: what they would have said is not held against the agent. */
export function afterGates(state: RunState, body: GatesJudged): RunState {
  const cutOff = body.results.some(({ ending }) => ending.kind === 'stopped' && ending.cause === 'cancelled');
  if (cutOff) return state;
  const truncateChars = state.run?.settings.outputTruncateChars ?? 0;
  const red = body.results.filter((result) => !result.green);
  const changed = body.tree === null || state.work.baseline === null ? null : body.tree !== state.work.baseline;
  const judged = { attempt: body.attempt, green: red.length === 0, failures: red.map((result) => failureOf(result, truncateChars)), changed };
  return withIteration({ ...state, work: workAfter(state.work, body, changed) }, body.iteration, (iteration) => ({ ...iteration, judged }));
}

/** As long as no agent has changed anything, what the gates leave behind belongs to the start. */
function workAfter(work: SeenWork, { tree_after }: GatesJudged, changed: boolean | null): SeenWork {
  if (work.seen || changed === null) return work;
  return changed ? { ...work, seen: true } : { ...work, baseline: tree_after ?? work.baseline };
}

function failureOf(result: GateResult, truncateChars: number): Failure {
  const { gate, ending } = result;
  return {
    action: gate.failAction,
    message: guardrailMessage({ command: gate.command, ending, hint: gate.hint, logFile: result.log, output: result.output, truncateChars }),
  };
}

function withIteration(state: RunState, number: number, change: (iteration: OpenIteration) => OpenIteration): RunState {
  return { ...state, open: state.open.map((iteration) => (iteration.number === number ? change(iteration) : iteration)) };
}
