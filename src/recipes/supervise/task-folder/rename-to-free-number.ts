import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';

/**
 * Renames an entry of any kind to `<path>.<word>-<number>`, or to the next free number, and resolves with the new name; null when
 * there is nothing to rename. The name is reserved first and then replaced, so that nothing else is ever overwritten.
 */
export async function renameToFreeNumber(path: string, word: string, number: number): Promise<string | null> {
  const found = await lstat(path).catch(nullIfMissing);
  if (found === null) return null;
  const taken = await takeFreeName((n) => `${path}.${word}-${n}`, number, found.isDirectory() ? takeFolder : takeFile);
  try {
    await rename(path, taken);
    return basename(taken);
  } catch (error) {
    await rm(taken, { recursive: true, force: true });
    return nullIfMissing(error);
  }
}

async function takeFreeName(named: (n: number) => string, first: number, take: (path: string) => Promise<void>): Promise<string> {
  for (let n = first; ; n += 1) {
    try {
      await take(named(n));
      return named(n);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

async function takeFile(path: string): Promise<void> {
  await (await open(path, 'wx', 0o600)).close();
}

/** Only an empty folder can be replaced by a folder. */
async function takeFolder(path: string): Promise<void> {
  await mkdir(path, 0o700);
}

function nullIfMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}
