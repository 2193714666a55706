import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { lstat } from 'node:fs/promises';

/** More than any file of ours has that is read whole. */
const mostBytes = 64 * 1024 * 1024;

/** A whole file as text, at once. Null: it is not there, is no regular file, has more than is reasonable, or cannot be read. */
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

/** Opens a file to be read, at once or not at all: null if it is not there, or is a link, a pipe or anything else but a regular file. */
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

/** Whether anything has that name, be it a link that leads nowhere. */
export async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}

/** Whether the system refused with that word, such as ENOENT. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** The names of the folders in a folder; links are none. Empty where there is no folder. */
export function foldersIn(path: string): readonly string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
