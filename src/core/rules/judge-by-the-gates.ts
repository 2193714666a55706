import { slug } from '../../kit/pure/slug.ts';
import { reasonToLeave } from '../leaving.ts';
import type { StepRule, View } from '../recipe.ts';
import { commitsByGit } from '../scm-tasks.ts';
import type { OpenIteration } from '../state.ts';
import { wantsAnotherTry } from '../wants-another-try.ts';

/** Whatever the agent says, the gates look at what it left: all of them, every time, also after a failed attempt. */
export const judgeByTheGates: StepRule = (iteration, view) => {
  const { last, judged, latest, review } = iteration;
  if (last === null || judged !== null) return null;
  if (isAskedAgain(iteration, view)) return null;
  const again = latest.judgements === 0 ? '' : `~${latest.judgements}`;
  const keepTree = commitsByGit(view.settings.scm);
  return {
    kind: 'do',
    effect: {
      kind: 'run-gates',
      key: `gates:${iteration.number}.${latest.attempt}${again}`,
      iteration: iteration.number,
      attempt: latest.attempt,
      where: 'workspace',
      gates: [...view.settings.gates],
      name_tree: keepTree || namesTree(last.claim !== null, view),
      keep_tree: keepTree,
      phase: review.last === null ? phaseOf(iteration) : reviewPhase(iteration, view),
    },
  };
};

/** The gates wait for the next attempt at a review that came to nothing. */
function isAskedAgain({ review }: OpenIteration, view: View): boolean {
  if (review.last === null || reasonToLeave(view) !== null) return false;
  return wantsAnotherTry(review.last, review.repeated, view.settings.limits.repeats);
}

/** Of the work itself there is none, so that its logs have the names of seed 001. */
function phaseOf({ last, latest, scm }: OpenIteration): string {
  const attempt = latest.attempt === last?.attempt ? '' : 'message';
  const again = latest.judgements > 0 || scm.refusals > 0 ? `again_${latest.judgements + scm.refusals}` : '';
  return [attempt, again].filter(Boolean).join('_');
}

/** Two reviews whose names look the same in a file name also say which place they have in the cycle. */
function reviewPhase({ review }: OpenIteration, { settings }: View): string {
  const names = (settings.reviews?.prompts ?? []).map(({ name }) => slug(name, 'review'));
  const name = names[review.next] ?? '';
  const place = names.filter((other) => other === name).length > 1 ? `${review.next + 1}_` : '';
  return `review_${place}${name}${review.retries === 0 ? '' : `_${review.retries}`}`;
}

/** For a claim always; without one only where a change is asked for and none was seen yet, since naming a tree costs more than the rest of an iteration. */
function namesTree(isClaimed: boolean, { state, settings }: View): boolean {
  if (state.work.baseline === null) return false;
  return isClaimed || (settings.requireChange && settings.gates.length > 0 && !state.work.seen);
}
