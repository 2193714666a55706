import { closeSync, constants, lstatSync, openSync, unlinkSync, writeFileSync } from 'node:fs';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;

/**
 * A new, empty file at a path that others may have guessed. What lies there is removed first, so that a link is not written through and a
 * pipe is not waited for. A directory or a device in its place is an error.
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

/** Never a device: it is no file that somebody left here, and nobody could put it back. */
function remove(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isCharacterDevice() || found.isBlockDevice()) throw new Error(`${path} is a device`);
  unlinkSync(path);
}
