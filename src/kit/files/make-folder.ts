import { lstat, mkdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** Makes one folder in a parent that is there. A link or a file in its place is an error, not a way to somewhere else. */
export async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !(await isFolder(path))) throw error;
  }
}

/** Makes all that is missing between a folder that must be there and a path below it. */
export async function makeFoldersBelow(base: string, path: string, mode: number): Promise<void> {
  let folder = base;
  for (const name of relative(base, path).split(sep)) {
    folder = join(folder, name);
    await makeFolder(folder, mode);
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path)).isDirectory();
}
