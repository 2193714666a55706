import { closeSync, fstatSync, readSync } from 'node:fs';
import { openRegular } from '../kit/files/open-regular.ts';

const END_BYTES = 64 * 1024;

/** The last part of a log that is too long to be read whole; '' when it is gone. */
export function logEnd(path: string): string {
  const fd = openRegular(path);
  if (fd === null) return '';
  try {
    const { size } = fstatSync(fd);
    const buffer = Buffer.alloc(Math.min(size, END_BYTES));
    const bytesRead = readSync(fd, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    closeSync(fd);
  }
}
