import type { StreamMask } from './mask-stream.ts';
import { nameOf, type ProcessRow } from './process-table.ts';

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
  /** `stdoutFile`, new and open, for somebody who reads it afterwards and closes it: by its name another one could be found then. Absent or null: it is made. */
  readonly stdoutFd?: number | null;
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
  /** Put before the arguments, they make it open a pid namespace and tell on descriptor 4 which `"child-pid"` is the first in it. Absent: all it starts is looked for. */
  readonly namespaceArgs?: readonly string[];
  /** What it reads at descriptor 3, which then ends. Absent: there is no such descriptor. */
  readonly handed?: Uint8Array;
  /** Told of it and of all that is seen to come from it, while it lives. */
  readonly guardian: ProcessWatch;
  readonly onSpawned: (identity: ProcessIdentity) => void;
  /** Called for each whole line of stdout as it arrives; the last one may lack its newline. A line over 64 MB arrives cut. */
  readonly onLine: (line: string) => void;
  /** True once the process has said its last word and has nothing running in the background. */
  readonly settled: () => boolean;
}

/** Why we ended a process ourselves; the first cause wins and is the only one recorded. */
export type StopCause = 'idle' | 'deadline' | 'output' | 'lingered' | 'cancelled';

/** How a process ended. Every way is data: running a process never throws for what the process did. */
export type ProcessEnding =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'stopped'; readonly cause: StopCause; readonly detail: string; readonly code: number | null; readonly signal: string | null }
  | { readonly kind: 'never-started'; readonly reason: 'not-found' | 'not-executable' | 'bad-directory' | 'other'; readonly message: string };

/** Names one process for ever: pid alone is reused, pid with start time and boot is not. */
export interface ProcessIdentity {
  readonly host: string;
  /** The boot of the kernel and, in a container, `+` and its pid namespace: where the pid means this process. */
  readonly bootId: string;
  readonly pid: number;
  readonly startTime: string;
}

/** Somebody who ends processes when we cannot any more: a guardian. */
export interface Watchman {
  watch(identity: ProcessIdentity): void;
  forget(identity: ProcessIdentity): void;
}

/** Who is told of all that a process starts. */
export interface ProcessWatch extends Watchman {
  /** What could not be ended: another user's, or stuck in the kernel. */
  left(rows: readonly ProcessRow[]): void;
}

export interface KeptWatch extends Disposable {
  /** All that came from the process and lives now. */
  see(living: readonly Pick<ProcessRow, 'pid' | 'startTime'>[]): void;
}

/** Has a process watched, and all that is seen to come from it, until it is disposed: a tool without our marker is known only because it was seen. */
export function keepWatch(guardian: ProcessWatch, spawned: ProcessIdentity): KeptWatch {
  let watched = new Map([[nameOf(spawned), spawned]]);
  guardian.watch(spawned);
  return {
    see(living) {
      const seen = new Map(living.map(({ pid, startTime }) => [nameOf({ pid, startTime }), { ...spawned, pid, startTime }]));
      for (const [name, identity] of seen) if (!watched.has(name)) guardian.watch(identity);
      for (const [name, identity] of watched) if (!seen.has(name)) guardian.forget(identity);
      watched = seen;
    },
    [Symbol.dispose]() {
      for (const identity of watched.values()) guardian.forget(identity);
    },
  };
}
