import type { StepRule } from '../../../engine/decide/recipe.ts';
import { isOver } from '../working.ts';

/** After every agent: all it left is on its branch, and the plan is as it was. Also when it is given up: nothing may be lost. */
export const settleTheTask: StepRule = (iteration, view) => {
  const { hand, number, attempts } = iteration;
  if (hand === null || hand.workspace === null || hand.settled !== null || hand.isClosed) return null;
  if (hand.brought !== null || !isOver(iteration, hand, view)) return null;
  const { task, n, clashed } = hand;
  const { path, base } = hand.workspace;
  const key = `settle:${number}.${attempts}`;
  return { kind: 'do', effect: { kind: 'settle-plan', key, iteration: number, attempt: attempts, task, n, path, base, clashed: [...clashed] } };
};
