import { judging } from '../../shared/judging.ts';
import type { StepRule } from '../../../engine/decide/recipe.ts';
import { needsProof } from '../turning.ts';

/** Neither "ready" nor "approved" counts before the loop itself has seen every verify command green. */
export const judgeTheTurn: StepRule = (iteration, view) => {
  const { turn, judged } = iteration;
  if (turn === null || turn.settled === null || turn.recorded !== null || judged !== null || !needsProof(turn, view)) return null;
  return judging(iteration, view);
};
