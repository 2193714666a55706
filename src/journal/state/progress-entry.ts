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
