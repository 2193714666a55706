import { chmod, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { oneLine } from '../../kit/pure/text.ts';
import { versionOf } from './git-scratch.ts';

/** An index as it was. It is in memory only: a loop that is killed leaves no copy behind, and puts nothing back. */
export interface KeptIndex {
  /**
   * Under git's own lock, whole or not at all, and only if what it was kept for still holds then. Null when the index is as it
   * was, or has to stay as it is; else one line that says why it could not be put back.
   */
  putBack(stillHolds: () => Promise<boolean>): Promise<string | null>;
}

/** A prompt that asks `git status` holds it for a moment only. */
const LOCKED_FOR_MS = 2_000;
const PAUSE_MS = 100;

export async function keepIndex(path: string): Promise<KeptIndex> {
  const lock = `${path}.lock`;
  const version = await versionOf(path);
  const kept = await read(path);
  return {
    async putBack(stillHolds) {
      if ((await versionOf(path)) === version) return null;
      const work = async () => {
        if (!(await stillHolds())) await rm(lock);
        else if (kept) await replace(path, lock, kept);
        else await remove(path, lock);
      };
      return await underLock(lock, work).then(
        () => null,
        (error: Error) => `the index could not be put back: ${oneLine(error.message)}`,
      );
    },
  };
}

interface IndexFile {
  readonly content: Buffer;
  readonly mode: number;
  /** Rounded down, as for every copy of an index: one that looked newer would hide a change made right after it was written. */
  readonly seconds: number;
}

/** Null where there is none, as before the first commit. */
async function read(path: string): Promise<IndexFile | null> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return found && { content: await readFile(path), mode: found.mode, seconds: Math.floor(found.mtimeMs / 1000) };
}

/** The work lets go of the lock itself, in the way it ends; only if it fails that is done here. */
async function underLock(lock: string, work: () => Promise<void>): Promise<void> {
  const untilMs = performance.now() + LOCKED_FOR_MS;
  while (!(await makeNew(lock))) {
    if (performance.now() > untilMs) throw new Error(`another git holds ${lock}, or died with it`);
    await sleep(PAUSE_MS);
  }
  try {
    await work();
  } catch (error) {
    await rm(lock, { force: true });
    throw error;
  }
}

async function makeNew(path: string): Promise<boolean> {
  try {
    await writeFile(path, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** As git does it: the lock becomes the new file, and so is gone. */
async function replace(path: string, lock: string, { content, mode, seconds }: IndexFile): Promise<void> {
  await writeFile(lock, content, { flag: 'r+' });
  await chmod(lock, mode);
  await utimes(lock, seconds, seconds);
  await rename(lock, path);
}

async function remove(path: string, lock: string): Promise<void> {
  await rm(path, { force: true });
  await rm(lock);
}
