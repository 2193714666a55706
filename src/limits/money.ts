import type { View } from '../engine/decide/recipe.ts';
import { type Spending, totalCost } from '../journal/state/spending.ts';
import type { Price } from '../settings/schema/price.ts';
import type { Budget, RunSettings } from '../settings/schema/run-settings.ts';

type Spent = Pick<View, 'state' | 'settings'>;

/** Sums of cents are not exact: ten times 0.01 is a little less than 0.1. An amount below this counts as zero. */
const NOTHING_USD = 1e-9;

/** After this many attempts without a reported cost, Ralph treats the budget as spent: otherwise an agent that never reports its cost would spend without limit. */
const MOST_UNTOLD = 3;

/** True when a cost limit cannot be enforced, because no attempt has reported a cost. */
export const costLimitIsUnenforceable = ({ unknownWorkCosts, costs }: Spending) => costs.length === 0 && unknownWorkCosts >= MOST_UNTOLD;

/** Null without a cost limit. */
function costLeftUsd({ state: { spent }, settings }: Spent): number | null {
  const limit = budgetOf(settings).costUsd;
  if (limit === null) return null;
  const left = costLimitIsUnenforceable(spent) ? 0 : limit - (totalCost(spent)?.usd ?? 0);
  return left < NOTHING_USD ? 0 : left;
}

export const costIsSpent = (view: Spent) => costLeftUsd(view) === 0;

/** What one more agent may spend: the budget left after the shares of running agents, divided among the free workers. */
export function costShareUsd(view: Spent): number | null {
  const left = costLeftUsd(view);
  if (left === null) return null;
  const promised = view.state.inFlight.map((effect) => (effect.kind === 'run-agent' ? (effect.budget_usd ?? 0) : null)).filter((share) => share !== null);
  const free = left - promised.reduce((sum, share) => sum + share, 0);
  return Math.max(0, free / Math.max(1, view.settings.lanes - promised.length));
}

/** The budget of the whole run: no limits for recipes without one. */
export function budgetOf({ loop, work, stories }: RunSettings): Budget {
  return loop?.budget ?? work?.budget ?? stories?.budget ?? { costUsd: null, timeMs: 0 };
}

/** Keyed by model name; null for recipes that do not use prices. */
export function pricesOf({ loop, work, stories }: RunSettings): Readonly<Record<string, Price>> | null {
  return loop?.prices ?? work?.prices ?? stories?.prices ?? null;
}

interface Tokens {
  readonly input: number;
  readonly cache_read: number;
  readonly cache_write: number;
  readonly output: number;
}

const MILLION = 1_000_000;

/** Null when no price fits the model. A name that ends in `*` fits every model with that prefix; an exact name wins, then the longest prefix. */
export function estimatedCostUsd(tokens: Tokens, model: string | null, prices: Readonly<Record<string, Price>>): number | null {
  const price = priceOf(model ?? '', prices);
  if (price === null) return null;
  const { input, cache_read, cache_write, output } = tokens;
  return (input * price.input + cache_read * price.cacheRead + cache_write * price.cacheWrite + output * price.output) / MILLION;
}

export function priceOf(model: string, prices: Readonly<Record<string, Price>>): Price | null {
  if (Object.hasOwn(prices, model)) return prices[model] ?? null;
  const fitting = Object.keys(prices).filter((name) => name.endsWith('*') && model.startsWith(name.slice(0, -1)));
  const [longest] = fitting.sort((a, b) => b.length - a.length);
  return longest === undefined ? null : (prices[longest] ?? null);
}
