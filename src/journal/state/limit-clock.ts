/** When the agent may be retried. Strikes are limits in a row; any other ending clears them. */
export interface LimitClock {
  readonly untilMs: number;
  readonly strikes: number;
  readonly window: string | null;
  /** The sum of all waits since the run was started or resumed. */
  readonly waitedMs: number;
}

/** When one of several agents may be asked again. */
export interface AgentClock extends Omit<LimitClock, 'waitedMs'> {
  /** Why only a person can make it work again; absent: it can work. */
  readonly broken?: string;
}

/** What was last heard of a window, and what it was like when the run first heard of it. */
export interface WindowPace {
  readonly window: string;
  /** The used share, 1 for all of it. */
  readonly used: number;
  readonly resetsAtMs: number | null;
  readonly atMs: number;
  /** How many tasks the run had done then. */
  readonly done: number;
  readonly since: { readonly used: number; readonly atMs: number; readonly done: number };
}
