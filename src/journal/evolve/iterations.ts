import { repetitionForPrompt } from '../../limits/stuck.ts';
import { isAboutProtected, protectedWords } from '../../proof/judge/acceptance.ts';
import { factsOf } from '../../settings/schema/recipe-facts.ts';
import type { Effect, Failure } from '../effects/effect.ts';
import type { EventBody } from '../events/journal-event.ts';
import type { EventTable } from '../events/recipe-events.ts';
import type { ProgressEntry, ReviewProgress, ScmProgress } from '../state/iteration.ts';
import type { OpenIteration, Proof, RunState, UnacceptedClaim } from '../state/state.ts';
import { saysDone } from '../words/claim.ts';

/** When an event happened, and the state before it. */
export interface Moment {
  readonly before: RunState;
  readonly atMs: number;
}

type Folds = EventTable<[state: RunState, moment: Moment], RunState>;

/** How events change what only the runs of one recipe know, once they have changed what every run knows. `Own`: the events that no other recipe has. */
export type OwnFold<Own extends EventBody = never> = Folds & Required<Pick<Folds, Own['type']>>;

type Opened = Extract<EventBody, { type: 'iteration.opened' }>;

export const noReview: ReviewProgress = { begun: false, next: 0, retries: 0, last: null, repeated: 0 };
const noScm: ScmProgress = { asked: null, message: null, next: 0, refusals: 0, over: false };

/** A new iteration starts with the failures of the previous one and nothing else. */
export function afterOpening(state: RunState, { iteration, lane: worker }: Opened, atMs: number): RunState {
  const opened: OpenIteration = {
    number: iteration,
    worker: worker,
    openedAtMs: atMs,
    tally: { steps: 0, costUsd: 0 },
    failures: state.failures,
    attempts: 0,
    latest: { attempt: 0, judgements: 0 },
    repeated: 0,
    last: null,
    judged: null,
    protectedPathsChecked: { attempt: 0, judgements: 0 },
    restored: [],
    verified: null,
    proved: null,
    review: noReview,
    scm: noScm,
    currentTask: null,
    turn: null,
  };
  return { ...state, opened: Math.max(state.opened, iteration), open: [...state.open, opened] };
}

type Closed = Extract<EventBody, { type: 'iteration.closed' }>;

const MOST_REMEMBERED = 10;
/** The most reverted paths to remember. */
const MOST_PATHS = 20;

/** Moves an iteration from open to closed, and passes its failures on to the next prompt. */
export function afterClosing(state: RunState, body: Closed, atMs: number): RunState {
  const iteration = openIn(state, body.iteration);
  const entry = entryOf(body, iteration, atMs);
  const closed = { number: body.iteration, result: body.result, claim: body.claim, accepted: body.accepted, zeroWork: body.zero_work, atMs, entry };
  const forgotten = state.closed.at(-MOST_REMEMBERED);
  return {
    ...state,
    open: state.open.filter((open) => open.number !== body.iteration),
    closed: [...state.closed, closed].slice(-MOST_REMEMBERED),
    ...(forgotten && saysDone(forgotten.claim) && { claimedEarlier: forgotten.number }),
    abandoned: state.abandoned + (body.result === 'abandoned' ? 1 : 0),
    failuresInARow: body.result === 'failed' ? state.failuresInARow + 1 : body.result === 'abandoned' ? state.failuresInARow : 0,
    failures: failuresForNextPrompt(state, body, iteration),
    reviews: { ...state.reviews, greenSince: greenSince(state, body, iteration) },
    proof: body.accepted ? proofOf(iteration) : state.proof,
    unacceptedClaims: unbelievedAfter(state, body, iteration),
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
    ...(last?.cause && { cause: last.cause }),
    restored: restored.slice(0, MOST_PATHS),
  };
}

/** The last results before the work was accepted, and where the gates ran. */
export function proofOf(iteration: OpenIteration | undefined): Proof | null {
  const { proved = null, verified, judged } = iteration ?? {};
  const seen = verified ?? judged;
  if (!seen) return null;
  if (proved === null) return { tree: seen.tree, where: seen.where, checks: seen.checks, judged: null };
  const { tree, checks, failures: _, ...by } = proved;
  const isSeenThere = checks.length > 0 && by.verdict === 'proven' && by.level !== 'place';
  return { tree, where: isSeenThere ? 'clean' : seen.where, checks: isSeenThere ? checks : seen.checks, judged: by };
}

/** Green claims in a row that were not accepted. Iterations without a claim do not end the row. */
function unbelievedAfter({ unacceptedClaims, run }: RunState, { claim, zero_work }: Closed, iteration: OpenIteration | undefined): readonly UnacceptedClaim[] {
  const proof = proofOf(iteration);
  // A held story waits as a question instead.
  if (!iteration?.proved || !proof?.judged || factsOf(run?.settings).hasStories)
    return unacceptedClaims.map((each) => outdatedBy(iteration?.judged?.tree ?? null, each));
  if (proof.judged.verdict === 'proven' || proof.judged.verdict === 'red') return [];
  return [...unacceptedClaims, { iteration: iteration.number, claim, zeroWork: zero_work, proof: { ...proof, judged: proof.judged } }].slice(-MOST_REMEMBERED);
}

function outdatedBy(tree: string | null, claim: UnacceptedClaim): UnacceptedClaim {
  return tree === null || tree === claim.proof.tree ? claim : { ...claim, isOutdated: true };
}

/** A review cycle restarts the count, whatever its result. */
function greenSince({ reviews }: RunState, { result }: Closed, iteration: OpenIteration | undefined): number {
  if (iteration?.review.begun) return 0;
  return reviews.greenSince + (result === 'green' ? 1 : 0);
}

/** A green iteration clears the failures; one that was never judged keeps them. */
function failuresForNextPrompt(state: RunState, closed: Closed, iteration: OpenIteration | undefined): readonly Failure[] {
  const judged = iteration?.judged;
  // Feedback about a task or story is kept with it, because the next iteration may be about another one.
  if (factsOf(state.run?.settings).hasItems) return [];
  if (!judged) return [...restoredFailures(iteration), ...state.failures.filter(({ message }) => !isAboutProtected(message))];
  const failures = [...repeated(state), ...restoredFailures(iteration), ...judged.failures, ...cleanFailures(iteration), ...(iteration.proved?.failures ?? [])];
  const { claim, accepted } = closed;
  if (failures.length > 0 || claim === null || accepted || iteration.last?.verdict !== 'ok') return failures;
  if (judged.tree === null)
    return [asFailure(`You said "${claim.text}", but git cannot name the working copy, so nothing is proven: ${judged.problem ?? 'no reason given'}`)];
  return [asFailure(`You said "${claim.text}", but nothing has changed since the start. A claim without any change is not accepted.`)];
}

/** First the next agent is told what repeats; only later the run ends. */
function repeated(state: RunState): readonly Failure[] {
  const words = state.run ? repetitionForPrompt({ state, settings: state.run.settings }) : null;
  return words === null ? [] : [asFailure(words)];
}

function restoredFailures(iteration: OpenIteration | undefined): readonly Failure[] {
  const restored = iteration?.restored ?? [];
  return restored.length === 0 ? [] : [asFailure(protectedWords(restored))];
}

/** The failures of the same gates in a fresh checkout. */
function cleanFailures({ verified }: OpenIteration): readonly Failure[] {
  if (!verified || verified.green) return [];
  const where = 'In a fresh checkout, without untracked and ignored files, this is red:';
  return verified.failures.map((failure) => ({ ...failure, message: `${where}\n${failure.message}` }));
}

const asFailure = (message: string): Failure => ({ action: 'APPEND', check: '', message });

export function openIn({ open }: RunState, iteration: number): OpenIteration | undefined {
  return open.find(({ number }) => number === iteration);
}

/** Changes one open iteration. If the number is not open, nothing changes. */
export function withIteration(state: RunState, number: number, change: (iteration: OpenIteration) => OpenIteration): RunState {
  return { ...state, open: state.open.map((iteration) => (iteration.number === number ? change(iteration) : iteration)) };
}

/** The effect that a fact belongs to; undefined when its beginning is not in the journal. */
export function effectInFlight(state: RunState, key: string): Effect | undefined {
  return state.inFlight.find((effect) => effect.key === key);
}
