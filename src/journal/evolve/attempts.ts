import { assertNever } from '../../kit/pure/assert-never.ts';
import type { Effect } from '../effects/effect.ts';
import type { AttemptEnded, AttemptVerdict } from '../events/attempt.ts';
import type { EndedAttempt, OpenIteration, RunState, Tally } from '../state/state.ts';
import type { CurrentTask } from '../state/work-state.ts';
import { untilMsAfter } from './agents.ts';
import { withIteration } from './iterations.ts';
import { costsNothing } from './spending.ts';

/** An attempt counts from its intent on, so that no number is ever used twice. */
export function afterEffectBegun(state: RunState, effect: Effect): RunState {
  if (effect.kind !== 'run-agent') return state;
  const { iteration: number, attempt, role } = effect;
  const startsCycle = role === 'review' && state.open.some((iteration) => iteration.number === number && !iteration.review.begun);
  const counted = startsCycle ? { ...state, reviews: { ...state.reviews, cycles: state.reviews.cycles + 1 } } : state;
  return withIteration(counted, number, (iteration) => ({
    ...iteration,
    attempts: Math.max(iteration.attempts, attempt),
    review: role === 'review' ? { ...iteration.review, begun: true } : iteration.review,
  }));
}

export function afterAttempt(state: RunState, body: AttemptEnded): RunState {
  return withIteration(state, body.iteration, (before) => {
    const iteration = { ...before, tally: tallied(before.tally, body) };
    // A reviewer of a story is the agent of its iteration.
    const role = iteration.turn === null ? body.role : 'work';
    switch (role) {
      case 'work':
      case 'resolve':
        return afterWork(iteration, body);
      case 'review':
        return afterReview(iteration, body);
      case 'message':
        return afterMessage(iteration, body);
      default:
        return assertNever(role);
    }
  });
}

function afterWork(iteration: OpenIteration, ended: AttemptEnded): OpenIteration {
  const { attempt, verdict } = ended;
  return {
    ...unjudged(iteration, attempt),
    repeated: iteration.repeated + (cameToNothing(verdict) ? 1 : 0),
    last: endedAttempt(ended),
  };
}

function endedAttempt(ended: AttemptEnded): EndedAttempt {
  const { attempt, verdict, claim, why, last_words: said, cause, tool_error: toolError } = ended;
  const known = { ...(said && { said }), ...(cause && { cause }), ...(toolError && { toolError }) };
  return { attempt, verdict, claim, why, ...known, ...(hasCrashed(ended) && { hasCrashed: true as const }) };
}

const LAST_SIGNAL = 64;

/** The provider could not answer, or a signal ended the agent that was none of ours. Above 128 a shell says so of what it has run. */
export function hasCrashed({ verdict, ending, cause }: AttemptEnded): boolean {
  if (verdict !== 'failed') return false;
  if (cause?.kind === 'provider' || cause?.kind === 'overload') return true;
  const isSignal = ending.kind === 'signalled' || (ending.kind === 'exited' && ending.code > 128 && ending.code <= 128 + LAST_SIGNAL);
  return isSignal && cause?.kind === 'crash';
}

/** A usage limit in between says nothing about crashes. */
export function crashesAfter({ crashes }: CurrentTask, ended: AttemptEnded, atMs: number): CurrentTask['crashes'] {
  if (ended.verdict === 'limited') return crashes;
  return hasCrashed(ended) ? { count: (crashes?.count ?? 0) + 1, lastMs: atMs } : undefined;
}

function afterReview(iteration: OpenIteration, { attempt, verdict }: AttemptEnded): OpenIteration {
  const repeated = iteration.review.repeated + (cameToNothing(verdict) ? 1 : 0);
  return { ...unjudged(iteration, attempt), review: { ...iteration.review, last: verdict, repeated } };
}

/**
 * The agent was asked for a commit message only, and is asked again only if the loop died meanwhile. If the tree may have changed, the gates run again, so that
 * the commit holds what they judged.
 */
function afterMessage(iteration: OpenIteration, { attempt, verdict, why, message, tree }: AttemptEnded): OpenIteration {
  const { judged, scm } = iteration;
  const untouched = tree !== null && (tree === judged?.tree || tree === judged?.treeAfter);
  return { ...(untouched ? iteration : unjudged(iteration, attempt)), scm: { ...scm, asked: verdict === 'lost' ? null : { why }, message } };
}

function unjudged(iteration: OpenIteration, attempt: number): OpenIteration {
  return { ...iteration, judged: null, verified: null, proved: null, latest: { attempt, judgements: 0 } };
}

function tallied({ steps, costUsd }: Tally, ended: AttemptEnded): Tally {
  const { tools, spent, role } = ended;
  if (costsNothing(ended) || role === 'message') return { steps: steps + tools, costUsd };
  const cost = spent?.cost_usd ?? null;
  return { steps: steps + tools, costUsd: costUsd === null || cost === null ? null : costUsd + cost };
}

const cameToNothing = (verdict: AttemptVerdict) => verdict === 'empty' || verdict === 'lost';

/** After a usage limit the agent may be retried at the time the provider gave, or after a growing pause. */
export function afterLimit(state: RunState, body: AttemptEnded, atMs: number): RunState {
  const strikes = state.limit.strikes + 1;
  const untilMs = untilMsAfter(body, strikes, atMs);
  return { ...state, limit: { untilMs, strikes, window: body.limit_window, waitedMs: state.limit.waitedMs + (untilMs - atMs) } };
}
