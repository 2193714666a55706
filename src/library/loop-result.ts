import type { StopReason } from '../journal/words/outcome.ts';

/** The result of a loop. Times are in seconds, costs in US dollars. */
export interface LoopResult {
  readonly iterations: readonly LoopIteration[];
  readonly totalIterations: number;
  /** The cost that the agents reported. If some did not report it, their cost is estimated from the others. */
  readonly totalCost: number;
  /** Whether every agent reported its cost. */
  readonly costKnown: boolean;
  readonly totalDuration: number;
  readonly success: boolean;
  readonly stopReason: LoopStopReason;
  /** The reason in a sentence. */
  readonly message: string;
  /** Empty if the run has no worktree. */
  readonly worktreePath: string;
  readonly runId: string;
  /** The folder with prompts, answers, logs, the journal and the receipt. */
  readonly runFolder: string;
  /** Null when nothing was committed. */
  readonly lastCommit: string | null;
  /** Why the last green work is not committed although it should be; null otherwise. */
  readonly commitProblem: string | null;
}

export interface LoopIteration {
  /** Counted from 1. */
  readonly iteration: number;
  readonly stepsTaken: number;
  readonly cost: number;
  readonly costKnown: boolean;
  readonly duration: number;
  /** The results of the last run: in a fresh checkout with `verify: 'clean'`, else in the workspace. */
  readonly checkResults: readonly CheckResult[];
  /** False if there is no check. */
  readonly allChecksPassed: boolean;
  readonly completionTagFound: boolean;
  /** Why the agent failed; null if it did not. */
  readonly error: string | null;
}

export interface CheckResult {
  /** The command. */
  readonly name: string;
  readonly passed: boolean;
  /** The end of its output. */
  readonly output: string;
  /** Whether it was red at first, and green in a second run on the same files. */
  readonly flaky: boolean;
  readonly duration: number;
}

/** `completed` is a success without any check. */
export type LoopStopReason = StopReason;
