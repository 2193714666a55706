import { assertNever } from '../../kit/pure/assert-never.ts';
import { firstTellingLine } from '../../kit/pure/text.ts';
import { checkMessage, guardrailMessage } from '../../proof/judge/feedback.ts';
import type { ReviewSpec, RunSettings } from '../../settings/schema/run-settings.ts';
import type { Failure } from '../effects/effect.ts';
import type { GateResult, GatesJudged, PathsRestored } from '../events/gates.ts';
import type { ReviewProgress } from '../state/iteration.ts';
import type { CheckFact, JudgedWork, RunState, SeenWork } from '../state/state.ts';
import { noReview, withIteration } from './iterations.ts';
import { afterDoneJudged } from './task.ts';

/** Gates that were cut off have judged nothing: what they would have said is not held against the agent. */
export function afterGates(state: RunState, body: GatesJudged): RunState {
  const cutOff = body.results.some(({ ending }) => ending.kind === 'stopped' && ending.cause === 'cancelled');
  if (cutOff) return state;
  const judged = judgedBy(state, body);
  switch (body.where) {
    case 'start':
      return afterBaseline(state, judged);
    case 'clean':
      return withIteration(state, body.iteration, (iteration) => ({ ...iteration, verified: judged }));
    case 'workspace':
    case 'merged':
      // Of the run as a whole: the checks of a DONE that no life is open for.
      return body.iteration === 0 ? afterDoneJudged(state, judged) : afterWorkspace(state, body, judged);
    default:
      return assertNever(body.where);
  }
}

/** A witness that is green before anything was mended can prove nothing. */
function afterBaseline(state: RunState, { checks, treeAfter }: JudgedWork): RunState {
  const witnesses = state.run?.settings.loop?.witnesses ?? [];
  const blind = checks.find(({ command, green }) => green && witnesses.includes(command));
  const fatal = blind && { why: `the witness "${blind.command}" is green before the first iteration, so it cannot prove a fix`, exitCode: 2 };
  // What they leave behind belongs to the start.
  const work = { ...state.work, baseline: treeAfter ?? state.work.baseline };
  return { ...state, work, baseline: checks, fatal: fatal ?? state.fatal };
}

function afterWorkspace(state: RunState, body: GatesJudged, judged: JudgedWork): RunState {
  const { reviews = null } = state.run?.settings ?? {};
  return withIteration({ ...state, work: workAfter(state.work, body, judged.changed) }, body.iteration, (iteration) => ({
    ...iteration,
    judged,
    verified: null,
    latest: { ...iteration.latest, judgements: iteration.latest.judgements + 1 },
    review: iteration.review.last === null ? iteration.review : reviewAfter(iteration.review, reviews, judged.green),
  }));
}

function judgedBy(state: RunState, body: GatesJudged): JudgedWork {
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
    where: body.where,
    checks: body.results.map(factOf),
    problem: body.problem,
  };
}

/** Red gates send a review back as often as its limit allows; then the next one has its turn. */
function reviewAfter(review: ReviewProgress, spec: ReviewSpec | null, green: boolean): ReviewProgress {
  const again = !green && review.retries < (spec?.retryLimit ?? 0);
  return again ? { ...review, retries: review.retries + 1, last: null, repeated: 0 } : { ...noReview, begun: true, next: review.next + 1 };
}

/** As long as no agent has changed anything, what the gates leave behind belongs to the start. */
function workAfter(work: SeenWork, { tree_after }: GatesJudged, changed: boolean | null): SeenWork {
  if (work.seen || changed === null) return work;
  return changed ? { ...work, seen: true } : { ...work, baseline: tree_after ?? work.baseline };
}

function factOf({ gate, green, flaky, ending, duration_ms, output_sha256, output }: GateResult): CheckFact {
  return {
    command: gate.command,
    green,
    flaky,
    exitCode: ending.kind === 'exited' ? ending.code : null,
    durationMs: duration_ms,
    sha256: output_sha256,
    line: green ? '' : ending.kind === 'exited' ? firstTellingLine(output) : checkMessage({ ending, output: '', chars: 0 }),
  };
}

function failureOf({ gate, ending, log, output }: GateResult, { recipe, outputTruncateChars }: RunSettings): Failure {
  const message =
    recipe === 'run'
      ? guardrailMessage({ command: gate.command, ending, hint: gate.hint, logFile: log, output, truncateChars: outputTruncateChars })
      : checkMessage({ ending, output, chars: outputTruncateChars });
  return { action: gate.failAction, check: gate.command, message };
}

/** What was put back is held against the iteration, however good the rest of it is. */
export function afterPutBack(state: RunState, { iteration, attempt, paths }: PathsRestored): RunState {
  return withIteration(state, iteration, (open) => ({ ...open, guarded: { ...open.latest, attempt }, restored: [...new Set([...open.restored, ...paths])] }));
}
