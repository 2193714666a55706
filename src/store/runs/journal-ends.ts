import { closeSync, lstatSync } from 'node:fs';
import { firstLineIn, LineTooLong, lastLineIn } from '../../kit/files/end-lines.ts';
import { openRegular } from '../../kit/files/open-regular.ts';

/** `absent`: there is no such file. `empty`: it has no whole line. Both are of a run that never came to its first line. */
export type Ends =
  | { readonly kind: 'ends'; readonly first: string; readonly last: string }
  | { readonly kind: 'absent' | 'empty' }
  | { readonly kind: 'unreadable'; readonly why: string };

/** The first and the last whole line of a journal, however long it is. Never waits: what is not a regular file is not opened. */
export function readJournalEnds(path: string): Ends {
  return reading(path, (fd) => {
    const first = firstLineIn(fd);
    return first === null ? { kind: 'empty' } : { kind: 'ends', first, last: lastLineIn(fd) };
  });
}

function reading(path: string, read: (fd: number) => Ends): Ends {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return { kind: 'absent' };
  if (!found.isFile()) return { kind: 'unreadable', why: 'its journal is not a regular file' };
  const fd = openRegular(path);
  if (fd === null) return { kind: 'unreadable', why: 'its journal cannot be opened' };
  try {
    return read(fd);
  } catch (error) {
    return {
      kind: 'unreadable',
      why: error instanceof LineTooLong ? 'its journal holds a line that is too long' : `its journal cannot be read: ${(error as Error).message}`,
    };
  } finally {
    closeSync(fd);
  }
}
