import { closeSync, fsync, linkSync, mkdirSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { hasCode } from './read.ts';

export interface Numbered {
  readonly n: number;
  readonly content: string;
}

export interface NumberedFile extends Numbered {
  readonly path: string;
}

/** File systems allow 255 bytes; the rest is for the number and the suffix of a temporary file. */
const longestName = 160;
const mostTries = 100;

/**
 * Compare-and-set: writes `<dir>/<name>@<n>` if nobody has written that number or a higher one before. link(2) decides who is first, and the
 * file appears with its complete content. The winner keeps the previous file and removes older ones, so a late writer finds its number or a higher one.
 */
export async function putNumbered(dir: string, name: string, n: number, content: string): Promise<'put' | 'taken'> {
  const path = join(dir, numberedName(name, n));
  if (!(await linkNew(path, content, 'before it is seen'))) return 'taken';
  const entries = await entriesOf(dir);
  const numbers = numbersIn(entries, name);
  removeLeftovers(dir, entries, (start, number) => start === numberedName(name, '') && number < n);
  if (numbers.some((other) => other > n)) {
    await rm(path, { force: true });
    return 'taken';
  }
  // One that stays does no harm, and the next writer tries again.
  for (const old of numbers) if (old < n - 1) await rm(join(dir, numberedName(name, old)), { force: true }).catch(() => undefined);
  return 'put';
}

/** The highest number with its content; null if there is none. */
export async function latestNumbered(dir: string, name: string): Promise<NumberedFile | null> {
  for (let tries = 1; ; tries += 1) {
    const numbers = numbersIn(await entriesOf(dir), name);
    if (numbers.length === 0) return null;
    const n = Math.max(...numbers);
    const path = join(dir, numberedName(name, n));
    try {
      return { n, content: await readFile(path, 'utf8'), path };
    } catch (error) {
      // The file was removed between the two calls, so there is a newer one. The limit is for a file that is listed but cannot be opened.
      if (!hasCode(error, 'ENOENT') || tries === mostTries) throw error;
    }
  }
}

async function entriesOf(dir: string): Promise<readonly string[]> {
  return await readdir(dir).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  });
}

function numbersIn(entries: readonly string[], name: string): readonly number[] {
  const start = numberedName(name, '');
  return entries.filter((entry) => entry.startsWith(start) && /^[1-9]\d*$/.test(entry.slice(start.length))).map((entry) => Number(entry.slice(start.length)));
}

const TEMPORARY = /^(.*@)([1-9]\d*)\.[0-9a-f-]{36}\.tmp$/;

/** Removes the temporary files of writers that were killed. One for a number that is put is of no use to a living writer either. */
export function removeLeftovers(dir: string, entries: readonly string[], isPut: (start: string, n: number) => boolean): void {
  for (const entry of entries) {
    const [, start = '', n] = (entry.endsWith('.tmp') && TEMPORARY.exec(entry)) || [];
    if (n !== undefined && isPut(start, Number(n))) removeIfItCan(join(dir, entry));
  }
}

/** Distinct names give distinct files, even if the file system ignores case. A name that is too long is cut and gets a digest. */
export function numberedName(name: string, n: number | ''): string {
  if (name.length <= longestName && /^[a-z0-9._-]*$/.test(name)) return `${name}@${n}`;
  const safe = name.replace(/[^a-z0-9._-]/gu, escaped);
  const short = safe.length <= longestName ? safe : `${safe.slice(0, longestName - 33)}~${digestOf(name)}`;
  return `${short}@${n}`;
}

function escaped(char: string): string {
  if (/[A-Z]/.test(char)) return `+${char.toLowerCase()}`;
  return Array.from(Buffer.from(char), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

function digestOf(name: string): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(name).digest('hex').slice(0, 32);
}

const untilOnDisk = promisify(fsync);

/**
 * Creates a new file that appears with its complete content. Of many writers link(2) lets one succeed; the others get false. The content is
 * flushed to disk before others can see it, or before this function returns. The latter is as safe for the caller, and losers need not wait for a flush.
 * Only the flush is asynchronous: everything else is faster than a switch to another thread.
 */
export async function linkNew(path: string, content: string, onDisk: 'before it is seen' | 'before it is said'): Promise<boolean> {
  const temporary = `${path}.${process.getBuiltinModule('node:crypto').randomUUID()}.tmp`;
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

/** A leftover temporary file does no harm: the link already exists. */
function removeIfItCan(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Somebody else has removed it.
  }
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    // Whoever removed it has found that the number is over.
    if (hasCode(error, 'EEXIST') || hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}
