import type { StepRule } from '../../../engine/decide/recipe.ts';
import { standing } from '../turning.ts';

/** Says whose turn it is: told by the truth, never by the agent. */
export const beginTheTurn: StepRule = ({ turn, number }, view) => {
  const { look } = view.state.stories;
  const next = standing(view);
  if (turn !== null || look === null || next?.kind !== 'turn') return null;
  const { mode, story } = next;
  return { kind: 'say', event: { type: 'turn.begun', iteration: number, mode, story, head: look.head, tree: look.tree } };
};
