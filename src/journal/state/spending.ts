/** What the attempts of a run used together. */
export interface Spending {
  readonly attempts: number;
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  /** What attempts said, or what their tokens cost by a price list. */
  readonly costUsd: number;
  /** Whether some of that is our own sum from tokens and prices. */
  readonly estimated: boolean;
  /** What the latest attempts cost each, as far as they said. */
  readonly costs: readonly number[];
  /** Attempts at work or review that did not say what they cost: they crashed, or were killed with the loop. */
  readonly untoldWork: number;
  /** Attempts of any kind that did not say. A commit message is asked for in text mode, where no agent does. */
  readonly untold: number;
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
  untoldWork: 0,
  untold: 0,
  tools: 0,
  toolErrors: 0,
};

export interface TotalCost {
  readonly usd: number;
  readonly isEstimated: boolean;
}

/**
 * What the run cost. An attempt that did not say is taken for a dear one: it counts as much as nine of ten attempts of this run stayed below.
 * Null while no attempt has said anything.
 */
export function totalCost({ attempts, costUsd, estimated, costs, untoldWork }: Spending): TotalCost | null {
  if (attempts === 0) return null;
  if (untoldWork === 0) return { usd: costUsd, isEstimated: estimated };
  const dear = costs.toSorted((one, other) => one - other)[Math.ceil(costs.length * 0.9) - 1];
  return dear === undefined ? null : { usd: costUsd + untoldWork * dear, isEstimated: true };
}
