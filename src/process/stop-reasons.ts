import { nameOf, type ProcessRow } from './process-table.ts';

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
  see(living: readonly ProcessRow[]): void;
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
