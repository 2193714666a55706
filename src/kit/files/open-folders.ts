import { chmod, lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

interface OpenedFolders extends AsyncDisposable {
  readonly count: number;
}

const MINE = 0o700;
const LOOKED_INTO = 0o500;

/**
 * Makes the folders above these paths writable, so that their content can be changed. Disposing makes them read-only again, except for a folder
 * that could not even be listed before. Follows no symbolic link.
 */
export async function openFolders(top: string, paths: readonly string[]): Promise<OpenedFolders> {
  const opened: { path: string; mode: number }[] = [];
  for (const folder of foldersAbove(paths)) {
    const path = join(top, folder);
    const found = await lstat(path).catch(() => null);
    if (!found?.isDirectory() || (found.mode & MINE) === MINE) continue;
    await chmod(path, (found.mode & 0o7777) | MINE);
    opened.push({ path, mode: found.mode & 0o7777 });
  }
  return {
    count: opened.length,
    async [Symbol.asyncDispose]() {
      for (const { path, mode } of opened.reverse()) if ((mode & LOOKED_INTO) === LOOKED_INTO) await chmod(path, mode).catch(() => undefined);
    },
  };
}

/** Without duplicates, parents first. */
function foldersAbove(paths: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths) for (let folder = dirname(path); folder !== '.' && !folders.has(folder); folder = dirname(folder)) folders.add(folder);
  return [...folders].sort();
}
