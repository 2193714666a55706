import type { ProcessEnding } from '../../process/process-request.ts';
import type { OwnFolder, SealedFiles } from './sandbox.ts';

/** Runs commands for the loop itself: gates and SCM tasks. */
export interface CommandPort {
  /** Resolves after everything the command started is gone. Never rejects for what the command did. */
  run(request: CommandRequest, signal: AbortSignal): Promise<CommandResult>;
}

export interface CommandRequest {
  /** A line for the platform's shell, or a list of words that no shell parses. */
  readonly command: string | readonly string[];
  readonly cwd: string;
  readonly marker: string;
  /** A folder that a sandboxed process sees in place of the work tree. Changes in it are not landed. */
  readonly ownFolder?: OwnFolder;
  /** A folder for the caches of its tools, in a sandbox. Absent: that of all gates. */
  readonly caches?: string;
  /** The files that a driver of sealed checks sees besides the work, in a sandbox. */
  readonly sealed?: SealedFiles;
  /** Absent: standard input is empty. */
  readonly stdin?: string;
  /** Both output streams, in the order in which they arrived. */
  readonly logFile: string;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** How many code points of the output to return, from the beginning or from the end. */
  readonly keepChars: number;
  readonly keep: 'beginning' | 'end';
  /** Whether to compute the SHA-256 of the whole output. */
  readonly digest: boolean;
}

export interface CommandResult {
  readonly ending: ProcessEnding;
  readonly output: string;
  /** The end of the output, if `output` is only its beginning. */
  readonly outputEnd?: string;
  readonly outputBytes: number;
  /** Empty when it was not asked for, or when the command printed nothing. */
  readonly outputSha256: string;
  readonly durationMs: number;
}
