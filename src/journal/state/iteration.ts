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
