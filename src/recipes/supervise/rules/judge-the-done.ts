import { protectedBy } from '../../shared/judging.ts';
import type { StartRule } from '../../../engine/decide/recipe.ts';
import { isDoneByCheating } from '../supervising.ts';

/** A claim needs a proof: all checks, on the workspace as it is now. Who leaves while children are at work has no proof to hope for. */
export const judgeTheDone: StartRule = (_lane, view) => {
  const { task, leaving, children } = view.state;
  const { gates } = view.settings;
  if (task.sight?.done.kind !== 'file' || task.judged !== null || gates.length === 0 || isDoneByCheating(view)) return null;
  if (leaving && children.active.length > 0) return null;
  const number = task.refusals + 1;
  return {
    kind: 'do',
    effect: {
      kind: 'run-gates',
      key: `gates:done.${number}`,
      iteration: 0,
      attempt: number,
      where: 'workspace',
      gates: [...gates],
      name_tree: false,
      keep_tree: false,
      phase: `done_${number}`,
      protect: protectedBy(view),
      tree: null,
      until: null,
    },
  };
};
