import { closeSync, constants, fstatSync, openSync } from 'node:fs';

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
