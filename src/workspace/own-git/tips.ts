import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegular } from '../../kit/files/read.ts';

/** The state of a repository: the commit of HEAD, null before the first, and the object of each ref. */
export interface Tips {
  readonly head: string | null;
  readonly tips: ReadonlyMap<string, string>;
}

const MOST_REFS = 2_000;

/** Reads them as text. Ralph's git never opens a repository that an agent could write, because its contents may be anything. */
export async function readTips(folder: string, ownDir: string): Promise<Tips> {
  const tips = new Map(packedRefs(folder));
  for (const [ref, id] of await looseRefs(folder)) tips.set(ref, id);
  const head = (readRegular(join(ownDir, 'HEAD')) ?? '').trim();
  return { head: head.startsWith('ref: ') ? (tips.get(head.slice(5).trim()) ?? null) : isObjectId(head) ? head : null, tips };
}

function packedRefs(folder: string): readonly (readonly [string, string])[] {
  const lines = (readRegular(join(folder, 'packed-refs')) ?? '').split('\n');
  return lines.flatMap((line) => {
    const [id = '', ref = '', ...more] = line.split(' ');
    return isObjectId(id) && isRef(ref) && more.length === 0 ? [[ref, id] as const] : [];
  });
}

/** Stops after `MOST_REFS`, whatever an agent put there. */
async function looseRefs(folder: string): Promise<readonly (readonly [string, string])[]> {
  const found: (readonly [string, string])[] = [];
  const folders = ['refs'];
  for (const name of folders) {
    const entries = await entriesOf(join(folder, name));
    folders.push(...entries.filter((entry) => entry.isDirectory()).map((entry) => `${name}/${entry.name}`));
    found.push(...entries.filter((entry) => entry.isFile()).flatMap((entry) => looseRef(folder, `${name}/${entry.name}`)));
    if (found.length + folders.length > MOST_REFS) break;
  }
  return found;
}

function looseRef(folder: string, ref: string): readonly (readonly [string, string])[] {
  const id = isRef(ref) ? (readRegular(join(folder, ref)) ?? '').trim() : '';
  return isObjectId(id) ? [[ref, id]] : [];
}

/** Never follows a link, which may lead anywhere. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const isFolder = (await lstat(folder).catch(() => null))?.isDirectory() === true;
  return isFolder ? (await readdir(folder, { withFileTypes: true }).catch(() => [])).slice(0, MOST_REFS) : [];
}

const isObjectId = (text: string) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

/** Names that git accepts, except those with a special meaning. */
function isRef(ref: string): boolean {
  return /^refs\/[^\0-\x20\x7f~^:?*[\\]+$/.test(ref) && !/\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|[./]$/.test(ref);
}
