import { untilTheEnd } from '../../shared/judging.ts';
import type { StepRule } from '../../../engine/decide/recipe.ts';
import { gatesOf, isUpForProof } from '../working.ts';

/** A claim is looked at where it was made, lanes side by side, before it takes its place in the queue. */
export const judgeTheTask: StepRule = (iteration, view) => {
  const { hand, number, attempts, judged, latest } = iteration;
  if (hand === null || hand.workspace === null || judged !== null || hand.merge !== null || !isUpForProof(iteration, view)) return null;
  const gates = gatesOf(hand, view);
  if (gates.length === 0) return null;
  return {
    kind: 'do',
    effect: {
      kind: 'run-gates',
      key: `gates:${number}.${latest.attempt}`,
      iteration: number,
      attempt: attempts,
      where: 'workspace',
      gates,
      name_tree: false,
      keep_tree: false,
      phase: '',
      protect: null,
      tree: null,
      cwd: hand.workspace.cwd,
      until: untilTheEnd(view),
    },
  };
};
