import { untilTheEnd } from '../../shared/judging.ts';
import type { StepRule } from '../../../engine/decide/recipe.ts';
import type { OpenIteration } from '../../../journal/state/state.ts';
import { gatesOf, isProvenAlone, isUpForProof } from '../working.ts';

/** How often a base that others move is run after. */
const MOST_MERGES = 5;

/** What is green alone is merged, and looked at again merged. Only then it moves the base. */
export const mergeTheTask: StepRule = (iteration, view) => {
  const { hand, number, attempts } = iteration;
  if (!hand?.settled || !isUpForProof(iteration, view) || !isProvenAlone(iteration, view) || !isDue(iteration)) return null;
  const { task, n, settled, merges } = hand;
  return {
    kind: 'do',
    effect: {
      kind: 'merge',
      key: `merge:${number}.${merges + 1}`,
      iteration: number,
      attempt: attempts,
      task,
      n,
      head: settled.head,
      green_tree: greenTree(iteration),
      gates: gatesOf(hand, view),
      edits: [...settled.edits],
      until: untilTheEnd(view),
    },
  };
};

function isDue({ hand }: OpenIteration): boolean {
  return hand?.brought === null && (hand.merge === null || (hand.merge.result === 'moved' && hand.merges < MOST_MERGES));
}

/** Seen green where the agent worked. */
function greenTree({ hand, judged }: OpenIteration): string | null {
  return judged?.green === true ? (hand?.settled?.tree ?? null) : null;
}
