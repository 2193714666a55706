import { readdirSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hasCode } from '../../kit/files/read.ts';
import { takeLock } from '../../store/lock.ts';

/** The archives of a bus, newest first. */
export function archivesOf(path: string): readonly string[] {
  const start = `${basename(path)}.`;
  return namesIn(dirname(path))
    .filter((name) => name.startsWith(start) && STAMP.test(name.slice(start.length)))
    .sort()
    .reverse()
    .map((name) => join(dirname(path), name));
}

/**
 * Renames a bus that has reached that size to `<file>.YYYYMMDD-HHMMSS.archived`; the next post starts a new file. If another process is already rotating, this
 * does nothing. A writer that still has the old file open writes into the archive, which readers read too.
 */
export async function rotate(path: string, atBytes: number, nowMs: number): Promise<void> {
  const archive = `${path}.${stampOf(nowMs)}.archived`;
  // At most one rotation a second, and no archive is ever overwritten. A slow process must not give its archive an older name than those of others.
  const isDue = () => sizeOf(path) >= atBytes && (archivesOf(path)[0] ?? '') < archive;
  if (!isDue()) return;
  const lock = await takeLock(rotationLock(path), 'rotating a message bus');
  if (lock.kind === 'held') return;
  await using _ = lock;
  if (isDue()) renameSync(path, archive);
}

/** A hidden name without capitals: lock names are spelt out. */
function rotationLock(path: string): string {
  return join(dirname(path), `.${basename(path).toLowerCase()}.rotation`);
}

const STAMP = /^\d{8}-\d{6}\.archived$/;

function stampOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}
