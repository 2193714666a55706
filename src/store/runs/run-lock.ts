import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { numberedName } from '../../kit/files/numbered.ts';
import { namesIn, readRegular } from '../../kit/files/read.ts';
import { type ForeignLock, foreignLockIn } from '../lock.ts';

/** The path of the lock that allows one writer per run. */
export function runLock(runsFolder: string, run: string): string {
  return join(runsFolder, nameOfLock(run));
}

const nameOfLock = (run: string) => `${run}.lock`;
const LOCK = '.lock@';

/** The content of a runs folder, from one listing. */
export interface RunsListing {
  readonly runsFolder: string;
  /** All entries that may be runs, in order. */
  readonly names: readonly string[];
  /** The file that names the holder of the run; null if there was never one, or its locks were removed. */
  lockFileOf(run: string): string | null;
}

/** Empty if the folder does not exist. */
export function listFolder(runsFolder: string): RunsListing {
  const names = namesIn(runsFolder);
  const latest = new Map<string, number>();
  for (const name of names) {
    const [, lock, n] = name.includes(LOCK) ? (/^(.*\.lock@)([1-9]\d*)$/.exec(name) ?? []) : [];
    if (lock !== undefined) latest.set(lock, Math.max(Number(n), latest.get(lock) ?? 0));
  }
  return {
    runsFolder,
    get names() {
      return names.filter((name) => !name.startsWith('.') && !name.includes(LOCK)).sort();
    },
    lockFileOf(run) {
      const lock = numberedName(nameOfLock(run), '');
      const n = latest.get(lock);
      return n === undefined ? null : `${lock}${n}`;
    },
  };
}

/**
 * The process that works on the run. Null if its lock is free, its holder is dead, or holds it for something else, such as to remove it. Such
 * an answer never changes for a file of that name. A lock that cannot be read counts as held by an unknown process.
 */
export function activeProcessOf(run: string, { runsFolder, lockFileOf }: RunsListing): ForeignLock | null {
  const lockFile = lockFileOf(run);
  if (lockFile === null) return null;
  const path = join(runsFolder, lockFile);
  const held = foreignLockIn({ path, content: readRegular(path) ?? '' });
  return held === null || isUnread(held) || held.by.note === run ? held : null;
}

function isUnread({ by }: ForeignLock): boolean {
  return by.pid === 0;
}

/** For a run that was removed. The caller holds the lock, so no other process can start with it. */
export async function removeLockFiles(runsFolder: string, run: string): Promise<void> {
  const start = numberedName(nameOfLock(run), '');
  for (const name of readdirSync(runsFolder)) {
    if (name.startsWith(start) && /^[1-9]\d*$/.test(name.slice(start.length))) await rm(join(runsFolder, name), { force: true });
  }
}
