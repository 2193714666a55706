import { closeSync } from 'node:fs';
import { firstLineIn } from './end-lines.ts';
import { openRegular } from './open-regular.ts';

/** The first whole line of a file, at once. Null: it is not there or not yet, is no regular file, or has no end within reason. */
export function readFirstLine(path: string): string | null {
  const fd = openRegular(path);
  if (fd === null) return null;
  try {
    return firstLineIn(fd);
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}
