import { closeSync, constants, openSync, unlinkSync, writeFileSync } from 'node:fs';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;

/**
 * A new, empty file at a path that others may have guessed. What lies there is removed first, so that a link is not written through and a
 * pipe is not waited for. A directory in its place is an error.
 */
export function openFresh(path: string): number {
  remove(path);
  return openSync(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR, 0o600);
}

export function writeFresh(path: string, content: string): void {
  const fd = openFresh(path);
  try {
    writeFileSync(fd, content);
  } finally {
    closeSync(fd);
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
