import type { DaySpent, FleetSpent } from '../events/attempt.ts';

/** What others spend too. */
export interface SharedMoney {
  /** What all runs of this machine have cost today, when it was last seen; absent: nobody looked. */
  readonly day?: DaySpent;
  /** What the workers of a fleet have spent, when nothing was left of it; absent: something was, or nobody looked since the last start. */
  readonly fleet?: FleetSpent;
}

/** The usage of all attempts of a run. */
export interface Spending {
  readonly attempts: number;
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  /** The costs that attempts reported, or that we computed from their tokens and a price list. */
  readonly costUsd: number;
  /** Whether we computed some of it from tokens and prices. */
  readonly estimated: boolean;
  /** The costs of the latest work and review attempts, as far as they reported any. */
  readonly costs: readonly number[];
  /** Work and review attempts that reported no cost: they crashed, or were killed with the loop. */
  readonly unknownWorkCosts: number;
  /** Commit messages that count as the cheapest attempt, because their agent has no price; absent: none, or the journal is older and does not say. */
  readonly unknownMessageCosts?: number;
  /** Attempts of any role of whose cost nothing is known. */
  readonly unknownCosts: number;
  readonly tools: number;
  readonly toolErrors: number;
}

export const noSpending: Spending = {
  attempts: 0,
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  output: 0,
  costUsd: 0,
  estimated: false,
  costs: [],
  unknownWorkCosts: 0,
  unknownCosts: 0,
  tools: 0,
  toolErrors: 0,
};

/** What several runs cost, or parts of them, such as a day or an agent. */
export interface CostSum {
  /** Null: no attempt told a cost. */
  readonly usd: number | null;
  readonly isEstimated: boolean;
  /** Whether it was more, because a run without any known cost is part of it. */
  readonly isIncomplete: boolean;
}

/** Adds up parts of runs, each priced by the attempts of its whole run. Every sum over runs is made here, so that all views have the same. */
export function sumOfCosts(parts: readonly { readonly spent: Spending; readonly whole: Pick<Spending, 'costs'> }[]): CostSum {
  const costs = parts.flatMap(({ spent, whole }) => (spent.attempts === 0 ? [] : [totalCost(spent, whole)]));
  const known = costs.filter((cost) => cost !== null);
  return {
    usd: known.length === 0 ? null : known.reduce((sum, { usd }) => sum + usd, 0),
    isEstimated: known.some(({ isEstimated }) => isEstimated),
    isIncomplete: known.length < costs.length,
  };
}

/** As fields of `--json` and of the page. */
export interface CostSumView {
  /** In US dollars; null when no attempt has reported a cost. */
  readonly cost_usd: number | null;
  readonly cost_estimated: boolean;
  /** Whether it was more, because a run of which nobody knows any cost is part of it. */
  readonly cost_incomplete: boolean;
  readonly cost_per_proven_usd: number | null;
}

export function costSumView({ usd, isEstimated, isIncomplete }: CostSum, proven: number): CostSumView {
  return { cost_usd: usd, cost_estimated: isEstimated, cost_incomplete: isIncomplete, cost_per_proven_usd: costEach(usd, proven) };
}

/** Null: nothing is proven, or nobody told the cost. */
export const costEach = (usd: number | null, proven: number): number | null => (usd === null || proven === 0 ? null : usd / proven);

export interface TotalCost {
  readonly usd: number;
  readonly isEstimated: boolean;
}

/**
 * The cost of the run. An attempt that reported no cost is taken for an expensive one: it counts as the 90th percentile of the attempts of this run; a commit
 * message counts as the cheapest. Null while no attempt has reported any. A part of a run, such as one task, is priced by the attempts of the whole run, so that
 * the parts add up.
 */
export function totalCost(spent: Spending, whole: Pick<Spending, 'costs'> = spent): TotalCost | null {
  const { attempts, costUsd, estimated, unknownWorkCosts, unknownMessageCosts = 0 } = spent;
  if (attempts === 0) return null;
  if (unknownWorkCosts + unknownMessageCosts === 0) return { usd: costUsd, isEstimated: estimated };
  const known = assumedCosts(whole.costs);
  return known && { usd: costUsd + unknownWorkCosts * known.workUsd + unknownMessageCosts * known.messageUsd, isEstimated: true };
}

/** The cost of one attempt of the day. */
export interface AttemptCost {
  readonly key: string;
  /** Null: it did not say, and counts as an expensive one. */
  readonly usd: number | null;
  /** It wrote a commit message only: if it did not say what it cost, it counts as a cheap one. */
  readonly isMessage?: boolean;
}

/** What an attempt of unknown cost counts, by the known ones: a work attempt as an expensive one, a message as the cheapest that cost anything. */
export function assumedCosts(known: readonly number[]): { readonly workUsd: number; readonly messageUsd: number } | null {
  const sorted = known.toSorted((one, other) => one - other);
  const workUsd = sorted[Math.ceil(sorted.length * 0.9) - 1];
  return workUsd === undefined ? null : { workUsd, messageUsd: sorted.find((usd) => usd > 0) ?? 0 };
}
