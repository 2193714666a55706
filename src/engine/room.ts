import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessEnding } from '../kit/process/process-ending.ts';
import { diskRefuses } from '../model/disk-error.ts';

/** As much as a pipe brings at once. */
const CHUNK = Buffer.alloc(64 * 1024, 'x');

/**
 * Throws if a process came to nothing because its folder takes no more output. Then neither an agent nor a gate is to blame: the run stops
 * as it does when its journal cannot be written, without a fact, and a resume begins there again.
 */
export async function stopIfTheDiskIsToBlame(ending: ProcessEnding, folder: string): Promise<void> {
  if (!couldBeTheDisk(ending)) return;
  const probe = join(folder, '.room');
  try {
    await writeFile(probe, CHUNK);
  } catch (error) {
    throw diskRefuses(`output cannot be kept in ${folder} (${error instanceof Error ? error.message : String(error)})`, error);
  } finally {
    await rm(probe, { force: true });
  }
}

function couldBeTheDisk(ending: ProcessEnding): boolean {
  return ending.kind === 'stopped' ? ending.cause === 'output' : ending.kind === 'never-started' && ending.reason === 'other';
}
