import { notDone } from '../../../journal/words/outcome.ts';
import { budgetOf } from '../../../limits/budget.ts';
import type { StopRule } from '../../../engine/decide/recipe.ts';
import { costIsSpent } from '../../../limits/run-cost.ts';

/** The cost limit is reached. An attempt that did not say what it cost may have taken all of it. */
export const stopWhenTheBudgetIsSpent: StopRule = (view) => {
  if (!costIsSpent(view)) return null;
  const { costUsd, costKnown } = view.state.spent;
  const limit = budgetOf(view.settings).costUsd ?? 0;
  const message = costKnown
    ? `Cost limit of $${limit.toFixed(2)} reached: $${costUsd.toFixed(4)} spent`
    : `An attempt did not say what it cost, so the limit of $${limit.toFixed(2)} cannot be kept`;
  return { kind: 'stop', outcome: notDone('budget_exhausted', message) };
};
