import { readdirSync, renameSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hasCode } from '../../kit/files/read.ts';
import { takeLock } from '../../store/lock.ts';

/** What was rotated away from a bus, newest first. */
export function archivesOf(path: string): readonly string[] {
  const start = `${basename(path)}.`;
  return namesIn(dirname(path))
    .filter((name) => name.startsWith(start) && STAMP.test(name.slice(start.length)))
    .sort()
    .reverse()
    .map((name) => join(dirname(path), name));
}

/**
 * Puts a bus that has grown to so many bytes aside as `<file>.YYYYMMDD-HHMMSS.archived`; the next post begins a new one. Who finds
 * another at it leaves it to them. Who has just looked and writes now writes into the archive, where readers look too.
 */
export async function rotate(path: string, atBytes: number, nowMs: number): Promise<void> {
  const archive = `${path}.${stampOf(nowMs)}.archived`;
  // One a second is enough, none is ever overwritten, and whoever took its time here while others were at it does not get an older name than theirs.
  const isDue = () => sizeOf(path) >= atBytes && (archivesOf(path)[0] ?? '') < archive;
  if (!isDue()) return;
  const lock = await takeLock(rotationLock(path), 'rotating a message bus');
  if (lock.kind === 'held') return;
  await using _ = lock;
  if (isDue()) renameSync(path, archive);
}

/** Out of sight, and with no capitals: the names of locks are spelt out. */
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
