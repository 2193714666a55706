import type { ProcessEnding } from '../../kit/process/process-ending.ts';

/** Runs commands for the loop itself: gates and SCM tasks. */
export interface CommandPort {
  /** Resolves after everything the command started is gone. Never rejects for what the command did. */
  run(request: CommandRequest, signal: AbortSignal): Promise<CommandResult>;
}

export interface CommandRequest {
  /** A line for the platform's shell, or words that no shell ever sees. */
  readonly command: string | readonly string[];
  readonly cwd: string;
  readonly marker: string;
  /** Both streams, merged as they came. */
  readonly logFile: string;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** How many code points of the output's beginning to hand back. */
  readonly keepChars: number;
}

export interface CommandResult {
  readonly ending: ProcessEnding;
  readonly output: string;
  readonly outputBytes: number;
  readonly durationMs: number;
}
