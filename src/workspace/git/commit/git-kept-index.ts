import { chmod, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { oneLine } from '../../../kit/pure/text.ts';
import { versionOf } from '../git-scratch.ts';

/** A saved index. It is in memory only: a loop that is killed leaves no copy and reverts nothing. */
export interface KeptIndex {
  /**
   * Reverts the index under git's own lock, completely or not at all, and only if the condition still holds under the lock. Null if the index is as it was,
   * or has to stay as it is; else one line that says why it could not be reverted.
   */
  putBack(stillHolds: () => Promise<boolean>): Promise<string | null>;
}

/** A shell prompt that runs `git status` holds the lock only for a moment. */
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
  /** Rounded down, as for every copy of an index: a newer time would hide a change made right after the index was written. */
  readonly seconds: number;
}

/** Null if there is none, as before the first commit. */
async function read(path: string): Promise<IndexFile | null> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return found && { content: await readFile(path), mode: found.mode, seconds: Math.floor(found.mtimeMs / 1000) };
}

/** The work releases the lock itself; this function does so only if the work fails. */
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

/** As git does it: the lock file is renamed to the index. */
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
