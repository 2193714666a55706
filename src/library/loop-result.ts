/** What came of a loop. Times are in seconds, costs in US dollars. */
export interface LoopResult {
  readonly iterations: readonly LoopIteration[];
  readonly totalIterations: number;
  /** What the agents said it cost. Those that did not say are estimated from the others, once one has said. */
  readonly totalCost: number;
  /** Whether every agent said what it cost. */
  readonly costKnown: boolean;
  readonly totalDuration: number;
  readonly success: boolean;
  readonly stopReason: LoopStopReason;
  /** The reason in a sentence. */
  readonly message: string;
  /** Empty without a worktree of its own. */
  readonly worktreePath: string;
  readonly runId: string;
  /** Prompts, answers, logs, the journal and the receipt lie there. */
  readonly runFolder: string;
  /** Null when nothing was committed. */
  readonly lastCommit: string | null;
  /** Why the last green work is not in a commit although it should be; null when it is, or was not asked for. */
  readonly commitProblem: string | null;
}

export interface LoopIteration {
  /** Counted from 1. */
  readonly iteration: number;
  readonly stepsTaken: number;
  readonly cost: number;
  readonly costKnown: boolean;
  readonly duration: number;
  /** As they were run last: in a fresh checkout where `verify: 'clean'` asks for one, else in the workspace. */
  readonly checkResults: readonly CheckResult[];
  /** False when there is no check. */
  readonly allChecksPassed: boolean;
  readonly completionTagFound: boolean;
  /** How the agent came to nothing; null when it did not. */
  readonly error: string | null;
}

export interface CheckResult {
  /** The command. */
  readonly name: string;
  readonly passed: boolean;
  /** The end of what it printed. */
  readonly output: string;
  /** Red at first, and green when it was run again on the same files. */
  readonly flaky: boolean;
  readonly duration: number;
}

/** A loop ends by one of the first five as a rule; `completed` is a success without any check. */
export type LoopStopReason =
  | 'all_checks_passed'
  | 'max_iterations'
  | 'budget_exhausted'
  | 'timeout'
  | 'interrupted'
  | 'completed'
  | 'rate_limited'
  | 'stuck'
  | 'fatal'
  | 'blocked'
  | 'waiting'
  | 'held'
  | 'dead_gate'
  | 'sealed_red'
  | 'max_restarts';
