import type { ProcessIdentity } from './process-ending.ts';
import { nameOf, type ProcessRow } from './process-row.ts';

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
