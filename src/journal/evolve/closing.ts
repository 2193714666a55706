import type { Failure } from '../effects/effect.ts';
import type { EventBody } from '../events/journal-event.ts';
import type { ProgressEntry } from '../state/progress-entry.ts';
import { isAboutProtected, protectedWords } from '../../proof/judge/protected-paths.ts';
import type { OpenIteration, Proof, RunState } from '../state/state.ts';

type Closed = Extract<EventBody, { type: 'iteration.closed' }>;

const REMEMBERED = 10;
/** Of paths that were put back. */
const MOST_PATHS = 20;

/** Moves an iteration from open to closed, and carries what its gates said to the next prompt. */
export function afterClosing(state: RunState, body: Closed, atMs: number): RunState {
  const iteration = state.open.find((open) => open.number === body.iteration);
  const entry = entryOf(body, iteration, atMs);
  const closed = { number: body.iteration, result: body.result, claim: body.claim, accepted: body.accepted, zeroWork: body.zero_work, atMs, entry };
  return {
    ...state,
    open: state.open.filter((open) => open.number !== body.iteration),
    closed: [...state.closed, closed].slice(-REMEMBERED),
    abandoned: state.abandoned + (body.result === 'abandoned' ? 1 : 0),
    failuresInARow: body.result === 'failed' ? state.failuresInARow + 1 : body.result === 'abandoned' ? state.failuresInARow : 0,
    failures: carriedOver(state, body, iteration),
    reviews: { ...state.reviews, greenSince: greenSince(state, body, iteration) },
    proof: body.accepted ? proofOf(iteration) : state.proof,
  };
}

function entryOf({ iteration: number, result }: Closed, iteration: OpenIteration | undefined, atMs: number): ProgressEntry {
  const { last = null, judged = null, tally, restored = [], openedAtMs = atMs } = iteration ?? {};
  return {
    iteration: number,
    passed: result === 'green',
    steps: tally?.steps ?? 0,
    costUsd: tally?.costUsd ?? null,
    durationMs: atMs - openedAtMs,
    checks: (judged?.checks ?? []).map(({ command, green, flaky, line }) => ({ command, green, flaky, line })),
    error: last !== null && last.verdict !== 'ok' ? last.why : null,
    restored: restored.slice(0, MOST_PATHS),
  };
}

/** What was seen last before it was accepted, and where. */
function proofOf(iteration: OpenIteration | undefined): Proof | null {
  const judged = iteration?.verified ?? iteration?.judged;
  return judged ? { tree: judged.tree, where: judged.where, checks: judged.checks } : null;
}

/** A cycle begins the count again, whatever came of it. */
function greenSince({ reviews }: RunState, { result }: Closed, iteration: OpenIteration | undefined): number {
  if (iteration?.review.begun) return 0;
  return reviews.greenSince + (result === 'green' ? 1 : 0);
}

/** A green iteration clears the failures; one that was never judged leaves them as they were. */
function carriedOver(state: RunState, closed: Closed, iteration: OpenIteration | undefined): readonly Failure[] {
  const judged = iteration?.judged;
  // What the next try at a task or story is told is kept with it: the next iteration of this run is about another one.
  if (iteration?.hand || iteration?.turn) return [];
  if (!judged) return [...restoredFailures(iteration), ...state.failures.filter(({ message }) => !isAboutProtected(message))];
  const failures = [...restoredFailures(iteration), ...judged.failures, ...cleanFailures(iteration)];
  const { claim, accepted } = closed;
  if (failures.length > 0 || claim === null || accepted || iteration.last?.verdict !== 'ok') return failures;
  if (judged.tree === null)
    return [told(`You said "${claim.text}", but git cannot name the working copy, so nothing is proven: ${judged.problem ?? 'no reason given'}`)];
  return [told(`You said "${claim.text}", but nothing has changed since the start. A claim without any change is not accepted.`)];
}

function restoredFailures(iteration: OpenIteration | undefined): readonly Failure[] {
  const restored = iteration?.restored ?? [];
  return restored.length === 0 ? [] : [told(protectedWords(restored))];
}

/** What the same gates said where the stray files of the workspace are not. */
function cleanFailures({ verified }: OpenIteration): readonly Failure[] {
  if (!verified || verified.green) return [];
  const where = 'In a fresh checkout, without untracked and ignored files, this is red:';
  return verified.failures.map((failure) => ({ ...failure, message: `${where}\n${failure.message}` }));
}

const told = (message: string): Failure => ({ action: 'APPEND', check: '', message });
