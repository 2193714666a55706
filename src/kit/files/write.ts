import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, unlinkSync, writeFileSync } from 'node:fs';
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
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
