import { budgetOf } from './budget.ts';
import type { View } from '../engine/decide/recipe.ts';

type Spent = Pick<View, 'state' | 'settings'>;

/** Sums of cents are not exact: ten times 0.01 is a little less than 0.1, and nobody can spend the rest. */
const NOTHING_USD = 1e-9;

/** What may still be spent; null without a limit. What is unknown could be anything: then nothing is left. */
function costLeftUsd({ state, settings }: Spent): number | null {
  const limit = budgetOf(settings).costUsd;
  if (limit === null) return null;
  const left = state.spent.costKnown ? limit - state.spent.costUsd : 0;
  return left < NOTHING_USD ? 0 : left;
}

export const costIsSpent = (view: Spent) => costLeftUsd(view) === 0;

/** What one more agent may spend: its part of what is left once those at work have had theirs. */
export function costShareUsd(view: Spent): number | null {
  const left = costLeftUsd(view);
  if (left === null) return null;
  const promised = view.state.inFlight.map((effect) => (effect.kind === 'run-agent' ? (effect.budget_usd ?? 0) : null)).filter((share) => share !== null);
  const free = left - promised.reduce((sum, share) => sum + share, 0);
  return Math.max(0, free / Math.max(1, view.settings.lanes - promised.length));
}
