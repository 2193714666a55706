import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diskRefuses } from '../kit/pure/operator-error.ts';
import type { ProcessEnding } from '../process/process-request.ts';

/** As much as a pipe brings at once. */
const CHUNK = Buffer.alloc(64 * 1024, 'x');

/**
 * Throws if a process came to nothing because its folder takes no more output. Then neither an agent nor a gate is to blame: the run stops
 * as it does when its journal cannot be written, without a fact, and a resume begins there again.
 */
export async function stopIfTheDiskIsToBlame(ending: ProcessEnding, folder: string): Promise<void> {
  if (!couldBeTheDisk(ending)) return;
  const probe = join(folder, `.room-${randomUUID()}`);
  try {
    await writeFile(probe, CHUNK, { flag: 'wx' });
    await rm(probe);
  } catch (error) {
    await rm(probe, { force: true }).catch(() => undefined);
    if (isNoFolder(error)) return;
    throw diskRefuses(`output cannot be kept in ${folder} (${error instanceof Error ? error.message : String(error)})`, error);
  }
}

/** A folder that is gone, or was replaced by something else, says nothing about the disk. */
function isNoFolder(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(String(error.code));
}

function couldBeTheDisk(ending: ProcessEnding): boolean {
  return ending.kind === 'stopped' ? ending.cause === 'output' : ending.kind === 'never-started' && ending.reason === 'other';
}
