import { basename, dirname } from 'node:path';
import { latestNumbered, type Numbered, type NumberedFile, putNumbered } from '../kit/files/numbered.ts';
import { identityOf, livenessOf } from '../process/identity.ts';
import type { ProcessIdentity } from '../process/process-request.ts';

/** The holder of a lock, and its note for others who find it held. */
export interface LockHolder extends ProcessIdentity {
  readonly note: string;
}

export interface OurLock extends AsyncDisposable {
  readonly kind: 'taken';
  release(): Promise<void>;
}

export interface ForeignLock {
  readonly kind: 'held';
  readonly by: LockHolder;
  /** `unknown`: we cannot check the holder, so a person has to decide. */
  readonly liveness: 'alive' | 'unknown';
  /** The file of the lock; if somebody removes it, the lock is free. */
  readonly path: string;
}

export type LockAnswer = OurLock | ForeignLock;

const free = 'free';
const nobody: ProcessIdentity = { host: '', bootId: '', pid: 0, startTime: '' };

/**
 * Takes the lock for this process without waiting. Each change of holder has a new number, so of all processes that find a dead holder
 * exactly one takes over. A holder that we cannot check (another machine, another pid namespace) counts as alive.
 */
export async function takeLock(path: string, note: string): Promise<LockAnswer> {
  const [dir, name] = [dirname(path), basename(path)];
  const us = identityOf(process.pid);
  if (us === null) throw new Error('This process is not in the process table.');
  const record = JSON.stringify({ ...us, note });
  for (;;) {
    const latest = await latestNumbered(dir, name);
    const held = latest === null ? null : foreignLockIn(latest);
    if (held !== null) return held;
    const n = (latest?.n ?? 0) + 1;
    if ((await putNumbered(dir, name, n, record)) === 'put') return heldByUs(dir, name, { n, content: record });
  }
}

/** The current holder; null if the lock is free. Does not take it. */
export async function lockHolder(path: string): Promise<ForeignLock | null> {
  const latest = await latestNumbered(dirname(path), basename(path));
  return latest === null ? null : foreignLockIn(latest);
}

/** Null if it was released or its holder is dead. A record that we cannot read counts as held. */
export function foreignLockIn({ content, path }: Omit<NumberedFile, 'n'>): ForeignLock | null {
  if (content === free) return null;
  const by = readHolder(content);
  if (by === null) return { kind: 'held', by: { ...nobody, note: `unreadable record in ${path}` }, liveness: 'unknown', path };
  const liveness = livenessOf(by);
  return liveness === 'dead' ? null : { kind: 'held', by, liveness, path };
}

/**
 * A release has a number too. If it removed the file instead, a process that had read it earlier could take over from a holder long gone.
 * A process that has lost the lock, because somebody removed its file, does not release the next holder's lock.
 */
function heldByUs(dir: string, name: string, ours: Numbered): OurLock {
  let released: Promise<void> | null = null;
  const letGo = async () => {
    const latest = await latestNumbered(dir, name);
    if (latest?.n === ours.n && latest.content === ours.content) await putNumbered(dir, name, ours.n + 1, free);
  };
  const release = async () => {
    // Once more, because this process would hold it until it ends.
    released ??= letGo().catch(letGo);
    await released;
  };
  return { kind: 'taken', release, [Symbol.asyncDispose]: release };
}

function readHolder(content: string): LockHolder | null {
  try {
    const { host, bootId, pid, startTime, note } = JSON.parse(content) as Partial<LockHolder>;
    return host && bootId && pid && startTime !== undefined && note !== undefined ? { host, bootId, pid, startTime, note } : null;
  } catch {
    return null;
  }
}
