import { reasonToLeave } from '../../../limits/leaving.ts';
import { protectedPaths } from '../../../proof/judge/protected-paths.ts';
import type { StepRule } from '../../../engine/decide/recipe.ts';
import type { OpenIteration } from '../../../journal/state/state.ts';

/** After every attempt, before the gates see anything and before the iteration is given up: what no agent may touch is as it was at the start. Again before they look again at what a commit hook has made of it. */
export const putBackProtectedPaths: StepRule = (iteration, view) => {
  const { state, settings } = view;
  const protect = protectedPaths(settings);
  const { latest } = iteration;
  if (protect.length === 0 || state.startTree === null || isGuarded(iteration) || reasonToLeave(view) === 'abort') return null;
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

function isGuarded({ latest, guarded, judged }: OpenIteration): boolean {
  return latest.attempt === guarded.attempt && (judged !== null || latest.judgements === guarded.judgements);
}
