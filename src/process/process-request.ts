import type { StreamMask } from './mask-stream.ts';
import type { ProcessIdentity, ProcessWatch } from './stop-reasons.ts';

/** One process to run to its end, in a session of its own, with all it starts. Every number of 0 means "no limit". */
export interface ProcessRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the child; the marker is added to it. */
  readonly env: Readonly<Record<string, string>>;
  /** Written to stdin, which is then closed. */
  readonly stdin: string;
  /** In the environment of everything it starts, as RALPH_MARKER, so that the sweep can find it. */
  readonly marker: string;
  /** Raw bytes go here as they come; the parent folder exists. With `merged` stderr goes to the same file. */
  readonly stdoutFile: string;
  readonly stderrFile: string | 'merged';
  /** What each stream passes on its way to its file; lines are heard as they are. Absent: files are raw. */
  readonly mask?: () => StreamMask;
  /** How long it may be silent, on stdout and stderr alike. */
  readonly idleMs: number;
  /** How long it may run, from its start on. */
  readonly deadlineMs: number;
  /** Over stdout and stderr together; not a byte more is kept. */
  readonly maxOutputBytes: number;
  /** How long a process that is `settled()` may say nothing on stdout before it is ended with cause `lingered`. */
  readonly lingerMs: number;
  /** interrupt: SIGINT to the process first (agents clean up on it). terminate: SIGTERM to the group first. */
  readonly stopWith: 'interrupt' | 'terminate';
  /** How many only children below the started process the one is that is asked by SIGINT: what is wrapped around it would not pass that on. Absent: none. */
  readonly askDepth?: number;
  /** Told of it and of all that is seen to come from it, while it lives. */
  readonly guardian: ProcessWatch;
  readonly onSpawned: (identity: ProcessIdentity) => void;
  /** Called for each whole line of stdout as it arrives; the last one may lack its newline. A line over 64 MB arrives cut. */
  readonly onLine: (line: string) => void;
  /** True once the process has said its last word and has nothing running in the background. */
  readonly settled: () => boolean;
}
