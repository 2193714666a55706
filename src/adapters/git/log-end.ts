import { closeSync, fstatSync, readSync } from 'node:fs';
import { openRegular } from '../../kit/files/open-regular.ts';

const END_BYTES = 64 * 1024;

interface LogEnd extends Disposable {
  /** Keeps a hand on the file the output goes to: whatever a hook then puts in its place is never read. */
  hold(): void;
  end(): string;
}

/** The last part of what a process said, read back when all is over. */
export function openLogEnd(path: string): LogEnd {
  let fd: number | null = null;
  return {
    hold() {
      fd = openRegular(path);
    },
    end() {
      if (fd === null) return '';
      const { size } = fstatSync(fd);
      const buffer = Buffer.alloc(Math.min(size, END_BYTES));
      const bytesRead = readSync(fd, buffer, 0, buffer.length, size - buffer.length);
      return buffer.toString('utf8', 0, bytesRead);
    },
    [Symbol.dispose]() {
      if (fd !== null) closeSync(fd);
    },
  };
}
