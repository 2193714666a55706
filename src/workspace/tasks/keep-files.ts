import { linkSync, lstatSync, mkdirSync, mkdtempSync, readlinkSync, renameSync, rmdirSync, rmSync, type Stats, symlinkSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Git } from '../git/git-command.ts';

/** Files of a work tree as they were, so that a git which stops half-way, for example on a full disk, can be undone. */
export interface KeptFiles extends Disposable {
  /** Puts back whatever has changed since; false if nothing has. Needs no free disk space where the files could be linked. */
  restore(): Promise<boolean>;
}

interface Kept {
  readonly path: string;
  /** Null: nothing was there. */
  readonly was: Stats | null;
  /** A second name of the same file: git replaces files by new ones, and this name keeps the old one. Null: it could not be linked. */
  readonly second: string | null;
  readonly target: string | null;
}

interface Place {
  readonly git: Git;
  /** The top of the work tree. */
  readonly top: string;
  /** A folder on the same disk. */
  readonly folder: string;
}

/** Throws if the disk has no space even for the names. The paths are relative to the top; folders among them are left alone. */
export function keepFiles({ git, top, folder }: Place, paths: readonly string[]): KeptFiles {
  mkdirSync(folder, { recursive: true });
  const names = mkdtempSync(join(folder, 'follow-'));
  const drop = () => rmSync(names, { recursive: true, force: true });
  try {
    const kept = paths.map((path, index) => keptAt(join(top, path), path, join(names, String(index)))).filter((each) => each !== null);
    return { restore: () => restore({ git, top, folder }, kept), [Symbol.dispose]: drop };
  } catch (error) {
    drop();
    throw error;
  }
}

function keptAt(at: string, path: string, second: string): Kept | null {
  const was = found(at);
  if (was === null) return { path, was, second: null, target: null };
  if (was.isSymbolicLink()) return { path, was, second: null, target: readlinkSync(at) };
  return was.isFile() ? { path, was, second: isLinked(at, second) ? second : null, target: null } : null;
}

/** A disk without hard links, or another disk, does without: git then writes the file again. */
function isLinked(at: string, second: string): boolean {
  try {
    linkSync(at, second);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw error;
    return false;
  }
}

/** What is new goes first: it may be in the way, and its space may be needed. */
async function restore({ git, top }: Place, kept: readonly Kept[]): Promise<boolean> {
  const changed = kept.filter(({ path, was }) => !isSame(found(join(top, path)), was));
  for (const { path } of changed.filter(({ was }) => was === null)) removeWithFolders(top, path);
  const gone = changed.filter(({ was }) => was !== null);
  for (const { path, second, target } of gone) {
    const at = join(top, path);
    if (second === null && target === null) continue;
    mkdirSync(dirname(at), { recursive: true });
    if (second !== null) renameSync(second, at);
    else if (target !== null) putLink(at, target);
  }
  const unlinked = gone.filter(({ second, target }) => second === null && target === null).map(({ path }) => path);
  for (let from = 0; from < unlinked.length; from += AT_ONCE)
    await git(['-C', top, 'checkout-index', '--force', '--', ...unlinked.slice(from, from + AT_ONCE)]);
  return changed.length > 0;
}

const AT_ONCE = 100;

function putLink(at: string, target: string): void {
  rmSync(at, { force: true });
  symlinkSync(target, at);
}

function removeWithFolders(top: string, path: string): void {
  unlinkSync(join(top, path));
  for (let above = dirname(path); above !== '.'; above = dirname(above)) {
    try {
      rmdirSync(join(top, above));
    } catch {
      return;
    }
  }
}

/** A second name changes the time of the last change, but nothing else. */
function isSame(now: Stats | null, was: Stats | null): boolean {
  return now?.ino === was?.ino && now?.size === was?.size && now?.mtimeMs === was?.mtimeMs;
}

function found(at: string): Stats | null {
  try {
    return lstatSync(at);
  } catch {
    return null;
  }
}
