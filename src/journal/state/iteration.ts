import type { AttemptVerdict } from '../events/attempt.ts';
import type { Cause } from '../words/outcome.ts';

/** How far the review cycle of an iteration is. */
export interface ReviewProgress {
  readonly begun: boolean;
  /** The index of the current or next prompt. */
  readonly next: number;
  /** How often it was repeated because its gates were red. */
  readonly retries: number;
  /** How its last attempt ended; null once the gates have judged it. */
  readonly last: AttemptVerdict | null;
  readonly repeated: number;
}

/** How far the SCM tasks of an iteration are. */
export interface ScmProgress {
  /** Whether the agent was asked for a commit message, and why it gave none; then the message. */
  readonly asked: { readonly why: string } | null;
  readonly message: string | null;
  /** The index of the next SCM task. */
  readonly next: number;
  /** How often a commit found that the workspace had changed since the gates ran. */
  readonly refusals: number;
  /** A task failed: the others are left for the next green iteration. */
  readonly over: boolean;
}

export interface CommitsSoFar {
  readonly count: number;
  readonly last: { readonly commit: string; readonly tree: string; readonly message: string } | null;
  /** Why the SCM tasks of the last green iteration failed; null when they did not. */
  readonly problem: string | null;
}

/** A summary of a closed iteration, for the progress file, later prompts and the final summary. */
export interface ProgressEntry {
  readonly iteration: number;
  /** All checks were green, and nothing protected had to be reverted. */
  readonly passed: boolean;
  /** The number of tool calls of its agents. */
  readonly steps: number;
  /** Null when an agent did not say. */
  readonly costUsd: number | null;
  readonly durationMs: number;
  /** Empty when none ran. */
  readonly checks: readonly CheckEntry[];
  /** How the agent failed; null when it did not. */
  readonly error: string | null;
  /** The class of that failure; absent: it did not fail. */
  readonly cause?: Cause;
  /** Protected paths that were reverted. */
  readonly restored: readonly string[];
}

export interface CheckEntry {
  readonly command: string;
  readonly green: boolean;
  readonly flaky: boolean;
  /** The most telling line of its output; empty when it is green or printed nothing. */
  readonly line: string;
}

/** What repeats from one iteration to the next. Counts are of iterations in a row, the last one included. */
export interface Standstill {
  /** The files that the last iteration left, and the one before it; null: nobody named them. */
  readonly tree: string | null;
  readonly treeBefore: string | null;
  /** What the last iteration was about, and which of its gates were red. */
  readonly gates: string;
  /** How it failed: the agent's error, or the output of the red gates. Empty: it did not, or nothing was printed. */
  readonly failure: string;
  /** The one error with which all its tool calls failed; empty: there is none. */
  readonly toolError: string;
  readonly sameGates: number;
  /** The same files and the same results of the gates. */
  readonly still: number;
  /** The files are again what they were two iterations before. */
  readonly swings: number;
  readonly sameFailure: number;
  readonly sameToolError: number;
  /** The failure, for people. */
  readonly evidence: string;
}

export const noStandstill: Standstill = {
  tree: null,
  treeBefore: null,
  gates: '',
  failure: '',
  toolError: '',
  sameGates: 0,
  still: 0,
  swings: 0,
  sameFailure: 0,
  sameToolError: 0,
  evidence: '',
};
