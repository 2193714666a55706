import type { StreamMask } from './mask-stream.ts';
import { nameOf, type ProcessRow } from './process-table.ts';

/** A process to run to its end in its own session, together with all processes it starts. A limit of 0 means no limit. */
export interface ProcessRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the child; the marker is added to it. */
  readonly env: Readonly<Record<string, string>>;
  /** Written to stdin, which is then closed. */
  readonly stdin: string;
  /** Passed as RALPH_MARKER to all processes it starts, so that the sweep can find them. */
  readonly marker: string;
  /** The file for the raw bytes; its parent folder exists. With `merged`, stderr goes to the same file. */
  readonly stdoutFile: string;
  readonly stderrFile: string | 'merged';
  /** `stdoutFile`, already created and open, for a caller that reads it afterwards and closes it; the path could lead to another file by then. Absent or null: Ralph creates it. */
  readonly stdoutFd?: number | null;
  /** Masks each stream on its way to its file; `onLine` gets unmasked lines. Absent: files are raw. */
  readonly mask?: () => StreamMask;
  /** How long it may print nothing on stdout and stderr. */
  readonly idleMs: number;
  /** How long it may run. */
  readonly deadlineMs: number;
  /** The limit for stdout and stderr together; no byte more is saved. */
  readonly maxOutputBytes: number;
  /** How long a process that is `settled()` may print nothing on stdout before it is stopped with cause `lingered`. */
  readonly lingerMs: number;
  /** interrupt: SIGINT to the process first (agents clean up on it). terminate: SIGTERM to the group first. */
  readonly stopWith: 'interrupt' | 'terminate';
  /** How many generations below the started process the SIGINT goes, because wrapper processes do not pass it on. Absent: 0. */
  readonly stopDepth?: number;
  /** Extra first arguments that make it open a pid namespace and report on descriptor 4 the `"child-pid"` of the first process in it. Absent: the sweep looks for everything it started. */
  readonly namespaceArgs?: readonly string[];
  /** Its input at descriptor 3. Absent: there is no such descriptor. */
  readonly extraInput?: Uint8Array;
  /** How much it may use together with all it starts. It needs `namespaceArgs`. Absent: any amount. */
  readonly uses?: UseLimits;
  /** Learns of the process and of all its descendants that we see while it lives. */
  readonly guardian: ProcessWatch;
  readonly onSpawned: (identity: ProcessIdentity) => void;
  /** Called for each complete line of stdout as it arrives; the last one may have no newline. A line over 64 MB is cut. */
  readonly onLine: (line: string) => void;
  /** The same for stderr. Absent: nobody reads it while the process runs. */
  readonly onErrorLine?: (line: string) => void;
  /** True once the process has printed its final message and has no background work. */
  readonly settled: () => boolean;
}

/** Whoever uses more is killed at once: it might not leave others the means to ask it. 0 means no limit. */
export interface UseLimits {
  readonly memoryBytes: number;
  readonly processes: number;
  /** Folders that are in memory, as it sees them. */
  readonly inMemory: readonly string[];
  /** A folder on the disk where it writes, and how much of that disk stays free. */
  readonly disk: string;
  readonly leastFreeBytes: number;
}

/** For a process that nobody follows while it runs: only its files and its ending count. */
export const UNFOLLOWED = {
  idleMs: 0,
  lingerMs: 0,
  stopWith: 'terminate',
  onSpawned: () => undefined,
  onLine: () => undefined,
  settled: () => false,
} as const satisfies Partial<ProcessRequest>;

/** Why we stopped a process; the first cause wins and is the only one recorded. */
export type StopCause = 'idle' | 'deadline' | 'output' | 'lingered' | 'cancelled' | 'memory' | 'processes' | 'disk';

/** How a process ended. Every ending is data: running a process never throws for what the process did. */
export type ProcessEnding =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'stopped'; readonly cause: StopCause; readonly detail: string; readonly code: number | null; readonly signal: string | null }
  | { readonly kind: 'never-started'; readonly reason: 'not-found' | 'not-executable' | 'bad-directory' | 'other'; readonly message: string };

/** Identifies one process for ever: a pid is reused, a pid with start time and boot id is not. */
export interface ProcessIdentity {
  readonly host: string;
  /** The boot of the kernel and, in a container, `+` and its pid namespace. The pid is valid only there. */
  readonly bootId: string;
  readonly pid: number;
  readonly startTime: string;
}

/** Ends processes after this process has died: a guardian. */
export interface ProcessGuard {
  watch(identity: ProcessIdentity): void;
  forget(identity: ProcessIdentity): void;
}

/** Learns of all processes that a process starts. */
export interface ProcessWatch extends ProcessGuard {
  /** Processes that could not be ended: another user's, or stuck in the kernel. */
  reportLeft(rows: readonly ProcessRow[]): void;
}

export interface ProcessWatchHandle extends Disposable {
  /** All live descendants of the process. */
  see(living: readonly Pick<ProcessRow, 'pid' | 'startTime'>[]): void;
}

/** Has a process and all its visible descendants watched until disposed. A tool without our marker is known only because we saw it while its parent lived. */
export function keepWatch(guardian: ProcessWatch, spawned: ProcessIdentity): ProcessWatchHandle {
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
