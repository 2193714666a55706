import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DoneSight } from '../../../journal/events/task.ts';

export const DONE = 'DONE';

/** What stands at DONE in the folder of a task. Its content means nothing, so it is never opened; a folder that is not there has none. */
export async function doneSight(folder: string): Promise<DoneSight> {
  try {
    const kind = kindOf(await lstat(join(folder, DONE)));
    return kind === null ? { kind: 'file' } : { kind: 'problem', why: `${DONE} is a ${kind}` };
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? { kind: 'absent' } : { kind: 'problem', why: `${DONE} cannot be looked at: ${code}` };
  }
}

/** Null for a regular file. */
function kindOf(found: Stats): string | null {
  if (found.isFile()) return null;
  if (found.isDirectory()) return 'directory';
  if (found.isSymbolicLink()) return 'symbolic link';
  if (found.isFIFO()) return 'named pipe';
  return found.isSocket() ? 'socket' : 'device';
}
