import type { Decision, StepRule, View } from '../../../engine/decide/recipe.ts';
import type { OpenIteration } from '../../../journal/state/state.ts';
import { mayRetry } from '../../../limits/retry-policy.ts';
import { reasonToAbandon } from '../../../limits/time.ts';
import { protectedPaths } from '../../../settings/schema/recipe-facts.ts';
import { gatesRequest, proofIsDue, secondJudgementIsDue, verificationIsDue } from '../effect-requests.ts';

/** After every attempt, before the gates run and before the iteration is abandoned: reverts protected paths to their state at the start. Repeated before the gates judge the changes of a commit hook. */
export const revertProtectedPaths: StepRule = (iteration, view) => {
  const { state, settings } = view;
  const protect = protectedPaths(settings);
  const { latest } = iteration;
  if (protect.length === 0 || state.startTree === null || isGuarded(iteration) || reasonToAbandon(view) === 'abort') return null;
  return {
    kind: 'do',
    effect: {
      kind: 'put-back',
      key: `put-back:${iteration.number}.${latest.attempt}${latest.judgements === 0 ? '' : `~${latest.judgements}`}`,
      iteration: iteration.number,
      attempt: latest.attempt,
      tree: state.startTree,
      protect: [...protect],
    },
  };
};

function isGuarded({ latest, protectedPathsChecked, judged }: OpenIteration): boolean {
  return latest.attempt === protectedPathsChecked.attempt && (judged !== null || latest.judgements === protectedPathsChecked.judgements);
}

/** When the run stops, an iteration is abandoned unless its agent succeeded; a successful one is still judged, except on an abort. */
export const abandonWhenStopping: StepRule = (iteration, view) => {
  const reason = reasonToAbandon(view);
  if (reason === null) return null;
  if (iteration.judged) return reason === 'abort' && isUnproven(iteration, view) ? abandoned(iteration) : null;
  if (['drain', 'done', 'limit'].includes(reason) && iteration.last?.verdict === 'ok') return null;
  if ((reason === 'time' || reason === 'cost') && isOver(iteration, view)) return null;
  return abandoned(iteration);
};

function abandoned({ number }: OpenIteration): Decision {
  return { kind: 'say', event: { type: 'iteration.closed', iteration: number, result: 'abandoned', claim: null, accepted: false, zero_work: false } };
}

/** The gates are green, but a further proof is still missing. An abort skips it. */
function isUnproven(iteration: OpenIteration, view: View): boolean {
  return secondJudgementIsDue(iteration, view) || verificationIsDue(iteration, view) || proofIsDue(iteration, view);
}

/** The work of an agent whose time or money ran out is kept, and the gates judge it. */
function isOver({ last, repeated }: OpenIteration, { settings }: View): boolean {
  return last !== null && !mayRetry(last.verdict, repeated, settings.limits.repeats);
}

/** No gate runs beside the same gates with planted failures: they may need the same port or database. */
export const waitForLivingGates: StepRule = (_iteration, { state, nowMs }) =>
  state.inFlight.some(({ kind, iteration }) => kind === 'find-living' && iteration === 0) ? { kind: 'wait', untilMs: nowMs + LONG_MS } : null;

const LONG_MS = 24 * 60 * 60_000;

/** Whatever the agent says, all gates judge its work every time, also after a failed attempt. */
export const judgeByTheGates: StepRule = (iteration, view) => {
  if (iteration.last === null || iteration.judged !== null || isAskedAgain(iteration, view)) return null;
  return gatesRequest(iteration, view);
};

/** The gates wait for the retry of a failed review attempt. */
function isAskedAgain({ review }: OpenIteration, view: View): boolean {
  if (review.last === null || reasonToAbandon(view) !== null) return false;
  return mayRetry(review.last, review.repeated, view.settings.limits.repeats);
}
