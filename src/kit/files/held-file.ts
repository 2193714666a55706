import { closeSync, fstatSync, readSync } from 'node:fs';
import { openRegular } from './open-regular.ts';

/** A file that somebody else writes, held by hand: whatever is then put in its place is never read. */
export interface HeldFile extends Disposable {
  /** Takes it; what is no regular file stays untaken, and reads as empty. */
  hold(): void;
  readonly fd: number | null;
  /** The first or the last so many bytes, as text. */
  read(from: 'beginning' | 'end', bytes: number): string;
}

export function openHeldFile(path: string): HeldFile {
  let fd: number | null = null;
  return {
    hold() {
      fd = openRegular(path);
    },
    get fd() {
      return fd;
    },
    read(from, bytes) {
      if (fd === null) return '';
      const { size } = fstatSync(fd);
      const buffer = Buffer.alloc(Math.min(size, bytes));
      const start = from === 'beginning' ? 0 : size - buffer.length;
      return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, start));
    },
    [Symbol.dispose]() {
      if (fd !== null) closeSync(fd);
    },
  };
}
