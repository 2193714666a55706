import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Something that is there, by its real path. */
export interface ExistingPath {
  readonly path: string;
  readonly isFolder: boolean;
}

/** What is there of these paths. The last name may hold `*`. A link stands for what it leads to: that is what has to be hidden. */
export async function existingPaths(patterns: readonly string[]): Promise<readonly ExistingPath[]> {
  const candidates = (await Promise.all(patterns.map(candidatesOf))).flat();
  return (await Promise.all(candidates.map(existing))).flat();
}

async function candidatesOf(pattern: string): Promise<readonly string[]> {
  const name = basename(pattern);
  if (!name.includes('*')) return [pattern];
  const folder = dirname(pattern);
  const wanted = new RegExp(`^${name.split('*').map(escaped).join('.*')}$`);
  const names = await readdir(folder).catch(() => []);
  return names.filter((each) => wanted.test(each)).map((each) => join(folder, each));
}

const escaped = (text: string) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

async function existing(path: string): Promise<readonly ExistingPath[]> {
  try {
    const real = await realpath(path);
    return [{ path: real, isFolder: (await lstat(real)).isDirectory() }];
  } catch {
    return [];
  }
}
