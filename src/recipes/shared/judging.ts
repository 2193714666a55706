import { slug } from '../../kit/pure/slug.ts';
import type { RunGates } from '../../journal/effects/effect.ts';
import type { Decision } from '../../engine/decide/decision.ts';
import { protectedPaths } from '../../proof/judge/protected-paths.ts';
import type { View } from '../../engine/decide/recipe.ts';
import { timeIsUp, timeIsUpAtMs } from '../../limits/run-time.ts';
import { commitsByGit } from './scm-tasks.ts';
import type { OpenIteration } from '../../journal/state/state.ts';

/** All gates on the workspace as it is now. */
export function judging(iteration: OpenIteration, view: View): Decision {
  const { last, latest, review } = iteration;
  const again = latest.judgements === 0 ? '' : `~${latest.judgements}`;
  const keepTree = commitsByGit(view.settings.scm) || view.settings.loop !== null;
  return {
    kind: 'do',
    effect: {
      kind: 'run-gates',
      key: `gates:${iteration.number}.${latest.attempt}${again}`,
      iteration: iteration.number,
      attempt: latest.attempt,
      where: 'workspace',
      gates: [...view.settings.gates],
      name_tree: keepTree || namesTree(Boolean(last?.claim), view),
      keep_tree: keepTree,
      protect: protectedBy(view),
      tree: null,
      until: untilTheEnd(view),
      phase: review.last === null ? phaseOf(iteration) : reviewPhase(iteration, view),
    },
  };
}

/** Gates that find the time up already may take their own: what an agent left when it was cut off is judged all the same. */
export function untilTheEnd(view: View): number | null {
  return timeIsUp(view) ? null : timeIsUpAtMs(view);
}

/** What gates may not leave changed; null where nothing is protected. */
export function protectedBy({ state, settings }: View): RunGates['protect'] {
  const paths = protectedPaths(settings);
  return paths.length === 0 || state.startTree === null ? null : { tree: state.startTree, paths: [...paths] };
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
