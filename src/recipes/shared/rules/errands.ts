import type { ErrandRule } from '../../../engine/decide/recipe.ts';
import { nearBudget } from '../../../limits/money.ts';

/** Told once, while there is time to raise the limit or to stop. */
export const tellWhenTheBudgetIsNear: ErrandRule = (view) => {
  const near = view.state.budgetNearMs !== undefined ? null : nearBudget(view);
  if (near === null) return null;
  return { kind: 'say', event: { type: 'budget.neared', spent_usd: near.spentUsd, limit_usd: near.limitUsd, estimated: near.isEstimated } };
};
