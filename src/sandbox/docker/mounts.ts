import { mkdir, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative } from 'node:path';

/** Whether a path is that folder or lies below it. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return isAbsolute(path) && !isAbsolute(way) && way !== '..' && !way.startsWith('../');
}

/**
 * The folders a sandbox is made with: the project first, then what lies outside of it. They are made if they are missing, since a sandbox gets its folders once;
 * of a file its folder is taken, since only folders can be written in one.
 */
export async function mountsOf(project: string, extraPaths: readonly string[]): Promise<readonly string[]> {
  const folders: string[] = [project];
  for (const path of extraPaths.filter((extra) => !isBelow(extra, project))) {
    const found = await stat(path).catch(() => null);
    if (found === null) await mkdir(path, { recursive: true });
    folders.push(found === null || found.isDirectory() ? path : dirname(path));
  }
  const all = [...new Set(folders)];
  return all.filter((path) => path === project || !all.some((other) => other !== path && isBelow(path, other)));
}
