import type { ProcessEnding } from '../../process/process-request.ts';
import type { OwnFolder, SealedFiles } from './wall.ts';

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
  /** What stands inside where the work tree lies, behind a sandbox. Nothing that is made in it lands. */
  readonly inCopy?: OwnFolder;
  /** What a driver of sealed checks sees beside the work, behind a sandbox. */
  readonly sealed?: SealedFiles;
  /** Absent: nothing can be read there. */
  readonly stdin?: string;
  /** Both streams, merged as they came. */
  readonly logFile: string;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** How many code points of the output to hand back, and from which side of it. */
  readonly keepChars: number;
  readonly keep: 'beginning' | 'end';
  /** Whether all of it is summed up by its SHA-256. */
  readonly digest: boolean;
}

export interface CommandResult {
  readonly ending: ProcessEnding;
  readonly output: string;
  readonly outputBytes: number;
  /** Empty when it was not asked for, or nothing was ever printed to. */
  readonly outputSha256: string;
  readonly durationMs: number;
}
