import { isAbsolute, relative, sep } from 'node:path';

/** Whether the path is somewhere below the folder; the folder itself is not. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
