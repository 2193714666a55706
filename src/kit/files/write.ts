import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, unlinkSync, writeFileSync } from 'node:fs';
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { openRegular } from './read.ts';

/** Replaces a file whole: a reader sees the old or the new content, never half of one. Nobody can guess where the new one is written first. */
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

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDWR } = constants;

/**
 * A new, empty file at a path that others may have guessed. What lies there is removed first, so that a link is not written through and a
 * pipe is not waited for. A directory or a device in its place is an error.
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

/** Never a device: it is no file that somebody left here, and nobody could put it back. */
function remove(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (found.isCharacterDevice() || found.isBlockDevice()) throw new Error(`${path} is a device`);
  unlinkSync(path);
}

/** A file that somebody else writes, held by hand: whatever is then put in its place is never read. */
export interface HeldFile extends Disposable {
  /** Takes it; what is no regular file stays untaken, and reads as empty. */
  hold(): void;
  /** Makes it anew and takes it; what cannot be made stays untaken. */
  make(): void;
  readonly fd: number | null;
  /** The first or the last so many bytes, as text. */
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
        // Whoever is to write it says why.
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

/** Makes one folder in a parent that is there. A link or a file in its place is an error, not a way to somewhere else. */
export async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !(await isFolder(path))) throw error;
  }
}

/** Makes all that is missing between a folder that must be there and a path below it. */
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
