import { randomUUID } from 'node:crypto';
import { closeSync, fsync, linkSync, mkdirSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { hasCode } from './has-code.ts';

const untilOnDisk = promisify(fsync);

/**
 * Makes a file that was not there, whole when it is first seen. Of many who try, link(2) lets one through; false for the others. It is on the
 * disk before anybody sees it, or before we say so: the latter loses nothing that was said either, and who comes too late need not wait.
 * Only the disk is waited for: all else is done sooner than another thread could be asked.
 */
export async function linkNew(path: string, content: string, onDisk: 'before it is seen' | 'before it is said'): Promise<boolean> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  const fd = openNew(temporary);
  try {
    writeFileSync(fd, content);
    if (onDisk === 'before it is seen') await untilOnDisk(fd);
    const isOurs = linked(temporary, path);
    if (isOurs && onDisk === 'before it is said') await untilOnDisk(fd);
    return isOurs;
  } finally {
    closeSync(fd);
    removeIfItCan(temporary);
  }
}

function openNew(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return openSync(path, 'wx', 0o600);
  }
}

/** Left behind it is in nobody's way; what was linked is linked. */
function removeIfItCan(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Somebody else has tidied up.
  }
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}
