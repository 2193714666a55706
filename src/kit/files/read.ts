import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';

/** Larger than any file that we read completely. */
const mostBytes = 64 * 1024 * 1024;

/** A whole file as text, without waiting. Null if it is missing, not a regular file, too large, or cannot be read. */
export function readRegular(path: string): string | null {
  const fd = openRegular(path);
  if (fd === null) return null;
  try {
    return fstatSync(fd).size > mostBytes ? null : readFileSync(fd, 'utf8');
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** Opens a regular file for reading without waiting. Null if it is missing, or is a link, a pipe or anything else. */
export function openRegular(path: string): number | null {
  const fd = openIfThere(path);
  if (fd === null || fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  return null;
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    return null;
  }
}

/** Whether the path exists; a broken link counts. */
export async function pathExists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}

/** Whether an error has this code, such as ENOENT. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** All names in a folder; empty if it does not exist. It is read at once: for another thread to do it takes longer. */
export function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** The names of the folders in a folder, without links. Empty if the folder does not exist. */
export function foldersIn(path: string): readonly string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Whether the path is below the folder; the folder itself does not count. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
