import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { numberedName } from '../../kit/files/numbered.ts';
import { readRegular } from '../../kit/files/read.ts';
import { type HeldByAnother, heldByAnother } from '../lock.ts';

/** One writer per run. */
export function runLock(runsFolder: string, run: string): string {
  return join(runsFolder, nameOfLock(run));
}

const nameOfLock = (run: string) => `${run}.lock`;
const LOCK = '.lock@';

/** All there is in a runs folder, told by one look into it. */
export interface RunsListing {
  readonly runsFolder: string;
  /** Every entry that may be a run, in their order. */
  readonly names: readonly string[];
  /** The file that says who holds the run; null: nobody ever did, or its locks were removed. */
  lockFileOf(run: string): string | null;
}

/** Empty for a folder that is not there. */
export async function listFolder(runsFolder: string): Promise<RunsListing> {
  const names = await readdir(runsFolder).catch(() => []);
  const latest = new Map<string, number>();
  for (const name of names) {
    const [, lock, n] = name.includes(LOCK) ? (/^(.*\.lock@)([1-9]\d*)$/.exec(name) ?? []) : [];
    if (lock !== undefined) latest.set(lock, Math.max(Number(n), latest.get(lock) ?? 0));
  }
  return {
    runsFolder,
    names: names.filter((name) => !name.startsWith('.') && !name.includes(LOCK)).sort(),
    lockFileOf(run) {
      const lock = numberedName(nameOfLock(run), '');
      const n = latest.get(lock);
      return n === undefined ? null : `${lock}${n}`;
    },
  };
}

/**
 * Who is at work on the run. Null when its lock is free, its holder is dead, or has taken it for something else, such as to remove it: none
 * of them changes any more for a file of that name. What cannot be read is held by somebody we cannot ask.
 */
export function workerOn(run: string, { runsFolder, lockFileOf }: RunsListing): HeldByAnother | null {
  const lockFile = lockFileOf(run);
  if (lockFile === null) return null;
  const path = join(runsFolder, lockFile);
  const held = heldByAnother({ path, content: readRegular(path) ?? '' });
  return held === null || isUnread(held) || held.by.note === run ? held : null;
}

function isUnread({ by }: HeldByAnother): boolean {
  return by.pid === 0;
}

/** Of a run that is gone. Who does it holds the lock: everybody else has been told so by now. */
export async function removeLockFiles(runsFolder: string, run: string): Promise<void> {
  const start = numberedName(nameOfLock(run), '');
  for (const name of await readdir(runsFolder)) {
    if (name.startsWith(start) && /^[1-9]\d*$/.test(name.slice(start.length))) await rm(join(runsFolder, name), { force: true });
  }
}
