import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diskError } from '../kit/pure/operator-error.ts';
import type { ProcessEnding } from '../process/process-request.ts';

/** The size of one chunk from a pipe. */
const CHUNK = Buffer.alloc(64 * 1024, 'x');

/**
 * Throws if a process failed because its folder takes no more output. Then neither the agent nor the gate is to blame. The run stops without a fact, as it does
 * when its journal cannot be written, and a resume performs the effect again.
 */
export async function stopIfDiskIsFull(ending: ProcessEnding, folder: string): Promise<void> {
  if (!couldBeTheDisk(ending)) return;
  const probe = join(folder, `.room-${randomUUID()}`);
  try {
    await writeFile(probe, CHUNK, { flag: 'wx' });
    await rm(probe);
  } catch (error) {
    await rm(probe, { force: true }).catch(() => undefined);
    if (isNoFolder(error)) return;
    throw diskError(`cannot write output to ${folder} (${error instanceof Error ? error.message : String(error)})`, error);
  }
}

/** A folder that is missing or was replaced says nothing about the disk. */
function isNoFolder(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(String(error.code));
}

function couldBeTheDisk(ending: ProcessEnding): boolean {
  return ending.kind === 'stopped' ? ending.cause === 'output' : ending.kind === 'never-started' && ending.reason === 'other';
}
