import type { View } from './recipe.ts';

type Spent = Pick<View, 'state' | 'settings'>;

/** Sums of cents are not exact: ten times 0.01 is a little less than 0.1, and nobody can spend the rest. */
const NOTHING_USD = 1e-9;

/** What may still be spent; null without a limit. What is unknown could be anything: then nothing is left. */
export function costLeftUsd({ state, settings }: Spent): number | null {
  const limit = settings.loop?.budget.costUsd ?? null;
  if (limit === null) return null;
  const left = state.spent.costKnown ? limit - state.spent.costUsd : 0;
  return left < NOTHING_USD ? 0 : left;
}

export const costIsSpent = (view: Spent) => costLeftUsd(view) === 0;
