import type { StepRule } from '../../../engine/decide/recipe.ts';
import { turnMessage } from '../turn-message.ts';
import { outcomeOfTurn, storyIn } from '../turning.ts';

/** The file says what the loop knows, whatever the agent has made of it. */
export const recordTheTurn: StepRule = (iteration, view) => {
  const { turn, number, attempts } = iteration;
  if (turn === null || turn.settled === null || turn.recorded !== null) return null;
  const { plan, atCap, applied } = outcomeOfTurn(iteration, { ...turn, settled: turn.settled }, view);
  return {
    kind: 'do',
    effect: {
      kind: 'record-stories',
      key: `record:${number}.${attempts}`,
      iteration: number,
      attempt: attempts,
      plan,
      moved: applied,
      at_cap: atCap !== null,
      message: applied ? turnMessage(turn.mode, storyIn(plan, turn.moves[0]?.story ?? turn.story)) : `ralph: [${turn.story}] - put back what was not proven`,
    },
  };
};
