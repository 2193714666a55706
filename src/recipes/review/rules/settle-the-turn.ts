import type { StepRule } from '../../../engine/decide/recipe.ts';
import { storiesSpec } from '../turning.ts';

/** After every attempt, whatever came of it: what the agent may not change is as it was before anybody else is let in. */
export const settleTheTurn: StepRule = ({ turn, last, number, attempts }, view) => {
  const { plan } = view.state.stories;
  if (turn === null || last === null || turn.settled !== null || plan === null) return null;
  const counts = last.verdict === 'ok';
  const moreToCome = turn.mode === 'review' && counts && turn.spoken < storiesSpec(view).reviewers;
  return {
    kind: 'do',
    effect: {
      kind: 'settle-stories',
      key: `settle:${number}.${attempts}`,
      iteration: number,
      attempt: attempts,
      mode: turn.mode,
      story: turn.story,
      truth: plan,
      head: turn.head,
      tree: turn.tree,
      counts,
      undo_all: moreToCome || (turn.mode === 'review' && !counts),
    },
  };
};
