import { untilTheEnd } from '../../shared/judging.ts';
import { verificationIsDue } from '../../shared/outstanding-proof.ts';
import type { StepRule } from '../../../engine/decide/recipe.ts';

/** Before a run may end well: the same gates on a fresh checkout of the same tree, where stray files of the workspace are not. */
export const verifyInACleanCheckout: StepRule = (iteration, view) => {
  const { gates } = view.settings;
  const { judged, number, latest } = iteration;
  if (!judged?.tree || !verificationIsDue(iteration, view)) return null;
  return {
    kind: 'do',
    effect: {
      kind: 'run-gates',
      key: `verify:${number}.${latest.attempt}~${latest.judgements}`,
      iteration: number,
      attempt: latest.attempt,
      where: 'clean',
      gates: [...gates],
      name_tree: false,
      keep_tree: false,
      phase: 'clean',
      protect: null,
      tree: judged.tree,
      until: untilTheEnd(view),
    },
  };
};
