import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from './has-code.ts';
import { linkNew } from './link-new.ts';

export interface Numbered {
  readonly n: number;
  readonly content: string;
}

export interface NumberedFile extends Numbered {
  readonly path: string;
}

/** File systems allow 255 bytes; the rest is for the number and a temporary's ending. */
const longestName = 160;
const mostTries = 100;

/**
 * Compare-and-set: writes `<dir>/<name>@<n>` if nobody has put that number, or a higher one, before. link(2) decides who was first, and
 * the file appears whole. Who wins also removes what is older than the one before, so that a late comer finds either its number or a higher one.
 */
export async function putNumbered(dir: string, name: string, n: number, content: string): Promise<'put' | 'taken'> {
  const path = join(dir, numberedName(name, n));
  if (!(await linkNew(path, content, 'before it is seen'))) return 'taken';
  const numbers = await numbersOf(dir, name);
  if (numbers.some((other) => other > n)) {
    await rm(path, { force: true });
    return 'taken';
  }
  for (const old of numbers) if (old < n - 1) await rm(join(dir, numberedName(name, old)), { force: true });
  return 'put';
}

/** The highest number with its content; null when none was ever put. */
export async function latestNumbered(dir: string, name: string): Promise<NumberedFile | null> {
  for (let tries = 1; ; tries += 1) {
    const numbers = await numbersOf(dir, name);
    if (numbers.length === 0) return null;
    const n = Math.max(...numbers);
    const path = join(dir, numberedName(name, n));
    try {
      return { n, content: await readFile(path, 'utf8'), path };
    } catch (error) {
      // Overtaken and removed between the two calls, so there is a newer one; unless it is listed and never there.
      if (!hasCode(error, 'ENOENT') || tries === mostTries) throw error;
    }
  }
}

async function numbersOf(dir: string, name: string): Promise<readonly number[]> {
  const start = numberedName(name, '');
  const entries = await readdir(dir).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  });
  return entries.filter((entry) => entry.startsWith(start) && /^[1-9]\d*$/.test(entry.slice(start.length))).map((entry) => Number(entry.slice(start.length)));
}

/** Distinct names give distinct files, also where the file system ignores case; a name too long for it is cut and told apart by its digest. */
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
  return createHash('sha256').update(name).digest('hex').slice(0, 32);
}
