import { basename, dirname } from 'node:path';
import { identityOf, livenessOf } from '../process/identity.ts';
import type { ProcessIdentity } from '../process/process-ending.ts';
import { latestNumbered, putNumbered } from './numbered.ts';

/** Who holds a lock, and the words it left for those who find it held. */
export interface LockHolder extends ProcessIdentity {
  readonly note: string;
}

export interface HeldByUs extends AsyncDisposable {
  readonly kind: 'taken';
  release(): Promise<void>;
}

export type LockAnswer = HeldByUs | { readonly kind: 'held'; readonly by: LockHolder };

const free = 'free';

/**
 * Takes the lock for this process, never waiting. Each change of hands is a new number, so of all who find a dead holder exactly one
 * follows it. A holder that cannot be asked (another host, another pid namespace) counts as living.
 */
export async function takeLock(path: string, note: string): Promise<LockAnswer> {
  const [dir, name] = [dirname(path), basename(path)];
  const us = identityOf(process.pid);
  if (us === null) throw new Error('This process is not in the process table.');
  for (;;) {
    const latest = await latestNumbered(dir, name);
    const holder = latest === null ? null : readHolder(latest.content, path);
    if (holder !== null && livenessOf(holder) !== 'dead') return { kind: 'held', by: holder };
    const n = (latest?.n ?? 0) + 1;
    if ((await putNumbered(dir, name, n, JSON.stringify({ ...us, note }))) === 'put') return heldByUs(dir, name, n);
  }
}

/** Letting go is a number too: a removed file would let one who read it earlier follow a holder that is long gone. */
function heldByUs(dir: string, name: string, n: number): HeldByUs {
  let released: Promise<unknown> | null = null;
  const release = async () => {
    released ??= putNumbered(dir, name, n + 1, free);
    await released;
  };
  return { kind: 'taken', release, [Symbol.asyncDispose]: release };
}

/** Null when it was let go. A record we cannot read is nobody we could ask, hence held. */
function readHolder(content: string, path: string): LockHolder | null {
  if (content === free) return null;
  try {
    const { host, bootId, pid, startTime, note } = JSON.parse(content) as Partial<LockHolder>;
    if (host && bootId && pid && startTime !== undefined && note !== undefined) return { host, bootId, pid, startTime, note };
  } catch {
    // Not ours at all: answered below.
  }
  return { host: '', bootId: '', pid: 0, startTime: '', note: `unreadable record in ${path}` };
}
