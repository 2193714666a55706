import { assertNever } from '../../kit/pure/assert-never.ts';
import { mostInformativeLine } from '../../kit/pure/text.ts';
import { checkMessage, guardrailMessage } from '../../proof/judge/feedback.ts';
import { proofFailures } from '../../proof/judge/proof-words.ts';
import { factsOf, witnessesOf } from '../../settings/schema/recipe-facts.ts';
import type { ReviewSpec, RunSettings } from '../../settings/schema/run-settings.ts';
import type { Failure } from '../effects/effect.ts';
import type {
  ClaimAllowed,
  GateResult,
  GatesJudged,
  LivingFound,
  PathsRestored,
  ProofJudged,
  ReceiptWritten,
  SealedBegun,
  SealedJudged,
} from '../events/gates.ts';
import type { ReviewProgress } from '../state/iteration.ts';
import type { CheckFact, JudgedWork, RunState, SeenWork } from '../state/state.ts';
import { noReview, withIteration } from './iterations.ts';

/** Gates that were cut off do not count, neither for nor against the agent. */
export function afterGates(state: RunState, body: GatesJudged): RunState {
  if (areCutOff(body.results)) return state;
  const judged = judgedBy(state, body);
  switch (body.where) {
    case 'start':
      return afterBaseline(state, judged);
    case 'clean':
      return withIteration(state, body.iteration, (iteration) => ({ ...iteration, verified: judged }));
    case 'workspace':
    case 'merged':
      return body.iteration === 0 ? state : afterWorkspace(state, body, judged);
    default:
      return assertNever(body.where);
  }
}

export const areCutOff = (results: readonly GateResult[]) => results.some(({ ending }) => ending.kind === 'stopped' && ending.cause === 'cancelled');

/** Replaces the entries of these gates and keeps all others. */
export function afterLivingFound(state: RunState, { gates, cut_off }: Pick<LivingFound, 'gates' | 'cut_off'>): RunState {
  if (cut_off) return state;
  const found = new Set(gates.map(({ command }) => command));
  return { ...state, living: [...(state.living ?? []).filter(({ command }) => !found.has(command)), ...gates] };
}

export function afterProof(state: RunState, body: ProofJudged): RunState {
  const settings = state.run?.settings;
  if (body.cut_off || areCutOff(body.results) || settings === undefined) return state;
  const { tree, verdict, level, changed, allowed, gates, reason, deciders, sealed, hint } = body;
  // Sealed checks that were cut off do not count either.
  if (verdict === 'sealed' && sealed === undefined) return state;
  const red = body.results.filter(({ green }) => !green).map((result) => failureOf(result, settings));
  const seen = {
    tree,
    verdict,
    level,
    changed,
    allowed,
    gates,
    reason,
    ...(deciders && { deciders }),
    ...(sealed && { sealed }),
    ...(hint !== undefined && { hint }),
  };
  const proved = { ...seen, allowedBy: null, allowedAtMs: null, checks: body.results.map(factOf) };
  return withIteration(state, body.iteration, (iteration) => ({ ...iteration, proved: { ...proved, failures: proofFailures(body, red) } }));
}

/** A run of the sealed checks is counted when it begins, and uncounted when they are green. */
export function afterSealed(state: RunState, body: SealedBegun | SealedJudged): RunState {
  const runs = state.sealedRuns ?? 0;
  if (body.type === 'sealed.begun') return { ...state, sealedRuns: runs + 1 };
  return body.green ? { ...state, sealedRuns: Math.max(0, runs - 1) } : state;
}

/** The held claim is accepted from now on, with a record of who allowed it. */
export function afterAllowed(state: RunState, body: ClaimAllowed, atMs: number): RunState {
  const { iteration, by } = body;
  if (body.task !== undefined) return state;
  const held = state.unacceptedClaims.find((claim) => claim.iteration === iteration);
  if (held === undefined) return state;
  return {
    ...state,
    unacceptedClaims: [],
    closed: state.closed.map((closed) => (closed.number === iteration ? { ...closed, accepted: true } : closed)),
    proof: { ...held.proof, judged: { ...held.proof.judged, allowedBy: by, allowedAtMs: atMs } },
  };
}

export function afterReceipt(state: RunState, { type: _, key: __, ...receipt }: ReceiptWritten): RunState {
  return { ...state, receipt };
}

/** A witness that is green before any change cannot prove a fix. */
function afterBaseline(state: RunState, { checks, treeAfter }: JudgedWork): RunState {
  const witnesses = witnessesOf(state.run?.settings);
  const blind = checks.find(({ command, green }) => green && witnesses.includes(command));
  const fatal = blind && { why: `the witness "${blind.command}" is green before the first iteration, so it cannot prove a fix`, exitCode: 2 };
  // Files left by the gates belong to the start.
  const work = { ...state.work, baseline: treeAfter ?? state.work.baseline };
  return { ...state, work, baseline: checks, fatal: fatal ?? state.fatal };
}

function afterWorkspace(state: RunState, body: GatesJudged, judged: JudgedWork): RunState {
  const { reviews = null } = state.run?.settings ?? {};
  return withIteration({ ...state, work: workAfter(state.work, body, judged.changed) }, body.iteration, (iteration) => ({
    ...iteration,
    judged,
    verified: null,
    proved: null,
    latest: { ...iteration.latest, judgements: iteration.latest.judgements + 1 },
    review: iteration.review.last === null ? iteration.review : reviewAfter(iteration.review, reviews, judged.green),
  }));
}

export function judgedBy(state: RunState, body: GatesJudged): JudgedWork {
  const red = body.results.filter((result) => !result.green);
  const { settings } = state.run ?? {};
  return {
    attempt: body.attempt,
    green: red.length === 0,
    failures: settings ? red.map((result) => failureOf(result, settings)) : [],
    changed: body.tree === null || state.work.baseline === null ? null : body.tree !== state.work.baseline,
    tree: body.tree,
    treeAfter: body.tree_after,
    head: body.head,
    headTree: body.head_tree,
    ...(body.commit_tree !== undefined && { commitTree: body.commit_tree }),
    ...(body.dirt && { dirt: body.dirt }),
    where: body.where,
    checks: body.results.map(factOf),
    problem: body.problem,
  };
}

/** Red gates repeat a review as often as its limit allows; then the next review follows. */
function reviewAfter(review: ReviewProgress, spec: ReviewSpec | null, green: boolean): ReviewProgress {
  const again = !green && review.retries < (spec?.retryLimit ?? 0);
  return again ? { ...review, retries: review.retries + 1, last: null, repeated: 0 } : { ...noReview, begun: true, next: review.next + 1 };
}

/** Until an agent changes something, files left by the gates belong to the start. */
function workAfter(work: SeenWork, { tree_after }: GatesJudged, changed: boolean | null): SeenWork {
  if (work.seen || changed === null) return work;
  return changed ? { ...work, seen: true } : { ...work, baseline: tree_after ?? work.baseline };
}

export function factOf({ gate, green, flaky, ending, duration_ms, output_sha256, output, tests }: GateResult): CheckFact {
  return {
    command: gate.command,
    green,
    flaky,
    exitCode: ending.kind === 'exited' ? ending.code : null,
    durationMs: duration_ms,
    sha256: output_sha256,
    ...(tests !== undefined && { tests }),
    line: green ? '' : ending.kind === 'exited' ? mostInformativeLine(output) : checkMessage({ ending, output: '', chars: 0 }),
  };
}

function failureOf({ gate, ending, log, output }: GateResult, settings: RunSettings): Failure {
  const { outputTruncateChars } = settings;
  const message =
    factsOf(settings).gates === 'guardrails'
      ? guardrailMessage({ command: gate.command, ending, hint: gate.hint, logFile: log, output, truncateChars: outputTruncateChars })
      : checkMessage({ ending, hint: gate.hint, output, chars: outputTruncateChars });
  return { action: gate.failAction, check: gate.command, message };
}

/** Reverted paths make the iteration red, whatever the gates say. */
export function afterRevert(state: RunState, { iteration, attempt, paths }: PathsRestored): RunState {
  return withIteration(state, iteration, (open) => ({
    ...open,
    protectedPathsChecked: { ...open.latest, attempt },
    restored: [...new Set([...open.restored, ...paths])],
  }));
}
