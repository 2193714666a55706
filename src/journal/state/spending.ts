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
  /** The costs of the latest attempts, as far as they reported any. */
  readonly costs: readonly number[];
  /** Work and review attempts that reported no cost: they crashed, or were killed with the loop. */
  readonly unknownWorkCosts: number;
  /** Attempts of any role that reported no cost. A commit message is asked for in text mode, in which no agent reports costs. */
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

export interface TotalCost {
  readonly usd: number;
  readonly isEstimated: boolean;
}

/**
 * The cost of the run. An attempt that reported no cost is taken for an expensive one: it counts as the 90th percentile of the attempts of this run. Null while
 * no attempt has reported any.
 */
export function totalCost({ attempts, costUsd, estimated, costs, unknownWorkCosts }: Spending): TotalCost | null {
  if (attempts === 0) return null;
  if (unknownWorkCosts === 0) return { usd: costUsd, isEstimated: estimated };
  const dear = costs.toSorted((one, other) => one - other)[Math.ceil(costs.length * 0.9) - 1];
  return dear === undefined ? null : { usd: costUsd + unknownWorkCosts * dear, isEstimated: true };
}
