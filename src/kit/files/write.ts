import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, unlinkSync, writeFileSync } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { openRegular } from './read.ts';

/** Replaces a file atomically: a reader sees the old or the new content. The name of the temporary file cannot be guessed. */
export async function writeAtomic(path: string, content: string, mode = 0o600): Promise<void> {
  const temporary = `${path}.${process.getBuiltinModule('node:crypto').randomUUID()}.tmp`;
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

const TEMPORARY = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

/** Removes what a killed writer left in a folder in which nobody else writes. One that stays does no harm. */
export async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) if (TEMPORARY.test(name)) await rm(join(folder, name), { force: true }).catch(() => undefined);
}

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;

/**
 * A new, empty file at a path that others may have guessed. It removes what is there first, so that it never writes through a link or waits for a
 * pipe. A directory or a device at that path is an error.
 */
export function openFresh(path: string): number {
  remove(path);
  return openSync(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR, 0o600);
}

export function writeFresh(path: string, content: string): void {
  const fd = openFresh(path);
  try {
    writeFileSync(fd, content);
  } finally {
    closeSync(fd);
  }
}

/** Never removes a device, because nobody could restore it. */
function remove(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isCharacterDevice() || found.isBlockDevice()) throw new Error(`${path} is a device`);
  unlinkSync(path);
}

/** A file that another process writes, held by its descriptor: a file that is put at its path later is never read. */
export interface HeldFile extends Disposable {
  /** Opens it; a path that is not a regular file is not held and reads as empty. */
  hold(): void;
  /** Creates the file again and holds it; if that fails, it is not held. */
  make(): void;
  readonly fd: number | null;
  /** The first or the last `bytes` bytes, as text. */
  read(from: 'beginning' | 'end', bytes: number): string;
}

export function openHeldFile(path: string): HeldFile {
  let fd: number | null = null;
  return {
    hold() {
      fd = openRegular(path);
    },
    make() {
      try {
        fd = openFresh(path);
      } catch {
        // The writer reports why.
      }
    },
    get fd() {
      return fd;
    },
    read(from, bytes) {
      if (fd === null) return '';
      const { size } = fstatSync(fd);
      const buffer = Buffer.alloc(Math.min(size, bytes));
      const start = from === 'beginning' ? 0 : size - buffer.length;
      return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, start));
    },
    [Symbol.dispose]() {
      if (fd !== null) closeSync(fd);
    },
  };
}

/** Creates one folder in an existing parent. A link or a file at that path is an error. */
export async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !(await isFolder(path))) throw error;
  }
}

/** Creates all missing folders between an existing folder and a path below it. */
export async function makeFoldersBelow(base: string, path: string, mode: number): Promise<void> {
  let folder = base;
  for (const name of relative(base, path).split(sep)) {
    folder = join(folder, name);
    await makeFolder(folder, mode);
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path)).isDirectory();
}

interface OpenedFolders extends AsyncDisposable {
  readonly count: number;
}

const MINE = 0o700;
const LOOKED_INTO = 0o500;

/**
 * Makes the folders above these paths writable, so that their content can be changed. Disposing makes them read-only again, except for a folder
 * that could not even be listed before. Follows no symbolic link.
 */
export async function openFolders(top: string, paths: readonly string[]): Promise<OpenedFolders> {
  const opened: { path: string; mode: number }[] = [];
  for (const folder of foldersAbove(paths)) {
    const path = join(top, folder);
    const found = await lstat(path).catch(() => null);
    if (!found?.isDirectory() || (found.mode & MINE) === MINE) continue;
    await chmod(path, (found.mode & 0o7777) | MINE);
    opened.push({ path, mode: found.mode & 0o7777 });
  }
  return {
    count: opened.length,
    async [Symbol.asyncDispose]() {
      for (const { path, mode } of opened.reverse()) if ((mode & LOOKED_INTO) === LOOKED_INTO) await chmod(path, mode).catch(() => undefined);
    },
  };
}

/** Without duplicates, parents first. */
function foldersAbove(paths: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths) for (let folder = dirname(path); folder !== '.' && !folders.has(folder); folder = dirname(folder)) folders.add(folder);
  return [...folders].sort();
}
