import { readSync } from 'node:fs';

/** The bytes between two places of a file; fewer when it has become shorter. */
export function readRange(fd: number, start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, end - start));
  let length = 0;
  while (length < bytes.length) {
    const read = readSync(fd, bytes, length, Math.min(bytes.length - length, MOST_AT_ONCE), start + length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

const MOST_AT_ONCE = 1 << 30;
