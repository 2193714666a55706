import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { openRegular } from './open-regular.ts';

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
