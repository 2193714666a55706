import type { Failure } from '../../model/effect.ts';
import type { GateResult, GatesJudged } from '../../model/events/gates.ts';
import type { ReviewSpec } from '../../model/run-settings.ts';
import { guardrailMessage } from '../feedback.ts';
import type { ReviewProgress, RunState, SeenWork } from '../state.ts';
import { noReview } from './opening.ts';
import { withIteration } from './with-iteration.ts';

/** Gates that were cut off have judged nothing: what they would have said is not held against the agent. */
export function afterGates(state: RunState, body: GatesJudged): RunState {
  const cutOff = body.results.some(({ ending }) => ending.kind === 'stopped' && ending.cause === 'cancelled');
  if (cutOff) return state;
  const { outputTruncateChars = 0, reviews = null } = state.run?.settings ?? {};
  const red = body.results.filter((result) => !result.green);
  const green = red.length === 0;
  const changed = body.tree === null || state.work.baseline === null ? null : body.tree !== state.work.baseline;
  const judged = {
    attempt: body.attempt,
    green,
    failures: red.map((result) => failureOf(result, outputTruncateChars)),
    changed,
    tree: body.tree,
    treeAfter: body.tree_after,
    head: body.head,
    headTree: body.head_tree,
    problem: body.problem,
  };
  return withIteration({ ...state, work: workAfter(state.work, body, changed) }, body.iteration, (iteration) => ({
    ...iteration,
    judged,
    latest: { ...iteration.latest, judgements: iteration.latest.judgements + 1 },
    review: iteration.review.last === null ? iteration.review : reviewAfter(iteration.review, reviews, green),
  }));
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

function failureOf(result: GateResult, truncateChars: number): Failure {
  const { gate, ending } = result;
  return {
    action: gate.failAction,
    message: guardrailMessage({ command: gate.command, ending, hint: gate.hint, logFile: result.log, output: result.output, truncateChars }),
  };
}
