/** What the attempts of a run used together. */
export interface Spending {
  readonly attempts: number;
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly costUsd: number;
  /** False as soon as one attempt at work or review did not say what it cost. */
  readonly costKnown: boolean;
  /** Whether some of the cost is our own sum from tokens and a price list. */
  readonly estimated: boolean;
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
  costKnown: true,
  estimated: false,
  untold: 0,
  tools: 0,
  toolErrors: 0,
};
