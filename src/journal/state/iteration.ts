import type { AttemptVerdict } from '../events/attempt.ts';

/** How far the review cycle of an iteration is. */
export interface ReviewProgress {
  readonly begun: boolean;
  /** The prompt that is asked now, or will be next. */
  readonly next: number;
  /** How often it was asked again because its gates were red. */
  readonly retries: number;
  /** How its last attempt ended; null once the gates have judged it. */
  readonly last: AttemptVerdict | null;
  readonly repeated: number;
}

/** How far the SCM tasks of an iteration are. */
export interface ScmProgress {
  /** Whether the agent was asked for a commit message, and why it could not answer; what it said. */
  readonly asked: { readonly why: string } | null;
  readonly message: string | null;
  /** The place in the list of tasks of the next one to do. */
  readonly next: number;
  /** How often a commit found the workspace changed since the gates saw it. */
  readonly refusals: number;
  /** A task failed: the others are left for the next green iteration. */
  readonly over: boolean;
}

/** What is remembered of a closed iteration: for the progress file, the prompts after it, and the summary. */
export interface ProgressEntry {
  readonly iteration: number;
  /** All checks were green, and nothing protected had to be put back. */
  readonly passed: boolean;
  /** Tool calls of its agents. */
  readonly steps: number;
  /** Null when an agent did not say. */
  readonly costUsd: number | null;
  readonly durationMs: number;
  /** Empty when none ran. */
  readonly checks: readonly CheckEntry[];
  /** How the agent came to nothing; null when it did not. */
  readonly error: string | null;
  /** Protected paths that were put back. */
  readonly restored: readonly string[];
}

export interface CheckEntry {
  readonly command: string;
  readonly green: boolean;
  readonly flaky: boolean;
  /** The line of its output that says most; empty when it is green or said nothing. */
  readonly line: string;
}

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
