import type { View } from '../engine/decide/recipe.ts';
import { type Spending, totalCost } from '../journal/state/spending.ts';
import { budgetOf, reviewAgentOf } from '../settings/schema/recipe-facts.ts';
import type { RunSettings } from '../settings/schema/run-settings.ts';
import { agentName, agentsIn } from './agents.ts';

type Spent = Pick<View, 'state' | 'settings'>;

/** Sums of cents are not exact: ten times 0.01 is a little less than 0.1. An amount below this counts as zero. */
const NOTHING_USD = 1e-9;

/** Null without a cost limit. */
function costLeftUsd({ state: { spent }, settings }: Spent): number | null {
  const limit = budgetOf(settings).costUsd;
  if (limit === null) return null;
  const left = limit - (totalCost(spent)?.usd ?? 0);
  return left < NOTHING_USD ? 0 : left;
}

export const costIsSpent = (view: Spent) => costLeftUsd(view) === 0;

/** All runs of this machine together have spent what the operator allows for today. */
export function dayIsSpent({ state: { day }, settings: { maxCostPerDay }, nowMs }: View): boolean {
  return maxCostPerDay !== undefined && day !== undefined && nowMs < day.ends_at && day.usd >= maxCostPerDay - NOTHING_USD;
}

const NEAR = 0.8;

interface NearBudget {
  readonly spentUsd: number;
  readonly limitUsd: number;
  readonly isEstimated: boolean;
}

/** What is spent and allowed, once that is most of it; null before, without a limit, and when all is spent. */
export function nearBudget(view: Spent): NearBudget | null {
  const limitUsd = budgetOf(view.settings).costUsd;
  const total = totalCost(view.state.spent);
  if (limitUsd === null || total === null || costIsSpent(view) || total.usd < limitUsd * NEAR - NOTHING_USD) return null;
  return { spentUsd: total.usd, limitUsd, isEstimated: total.isEstimated };
}

/** What one more agent may spend: the budget left after the shares of running agents, divided among the free workers. */
export function costShareUsd(view: Spent): number | null {
  const left = costLeftUsd(view);
  if (left === null) return null;
  const promised = view.state.inFlight.map((effect) => (effect.kind === 'run-agent' ? (effect.budget_usd ?? 0) : null)).filter((share) => share !== null);
  const free = left - promised.reduce((sum, share) => sum + share, 0);
  return Math.max(0, free / Math.max(1, view.settings.lanes - promised.length));
}

export const hasCostLimit = (settings: RunSettings): boolean => budgetOf(settings).costUsd !== null || settings.maxCostPerDay !== undefined;

/** The kind of an agent of which Ralph sees only text. */
const PLAIN_COMMAND = 'command';

/** The agents that tell neither what they cost nor their tokens. */
export function agentsOfUnknownCost(settings: RunSettings): readonly string[] {
  const reviewer = reviewAgentOf(settings);
  const all = [...agentsIn(settings), ...(reviewer === null ? [] : [reviewer])];
  return [...new Set(all.filter(({ kind }) => kind === PLAIN_COMMAND).map(agentName))];
}

/** Whether a cost limit was asked for and cannot be kept: an agent tells nothing, or no attempt so far has told anything. */
export function costLimitIsUnseen({ unknownWorkCosts, costs }: Spending, settings: RunSettings): boolean {
  return hasCostLimit(settings) && (agentsOfUnknownCost(settings).length > 0 || (unknownWorkCosts > 0 && costs.length === 0));
}
