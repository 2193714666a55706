import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  utimesSync,
} from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import { hasCode } from '../../kit/files/read.ts';
import type { Change, TreePath } from './tree-changes.ts';

export interface Carrying {
  /** Absolute, as the two below. */
  readonly from: string;
  readonly to: string;
  /** Where a file is made before it is put in its place: on the disk of `to`, or else it is made beside it. */
  readonly workshop: string;
}

/** So many files, and then others get a turn. */
const AT_ONCE = 200;

/**
 * Makes the changed paths below one folder what they are below another: plain files, their modes and times, and links as they are. Nobody may be at work in
 * either. Returns what could not be carried since something else is in its place: a folder with other files, a link on the way.
 */
export async function carry(changes: readonly Change[], carrying: Carrying): Promise<readonly Change[]> {
  const refused: Change[] = [];
  const gone = changes.filter(({ after }) => after === null).toReversed();
  const come = changes.filter(({ after }) => after !== null);
  for (const [index, change] of [...gone, ...come].entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await breathe();
    const isDone = change.after === null ? remove(carrying.to, change.path) : put(change.path, carrying);
    if (!isDone) refused.push(change);
  }
  return refused;
}

/** The bytes of a path as the file system takes them. */
export function bytesAt(folder: string, path: TreePath): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);
}

/** Undefined also where a file is in the place of a folder. */
export function found(path: Buffer): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (hasCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** True where nothing is left of it. Folders that are empty then go with it, as git has it. */
function remove(folder: string, path: TreePath): boolean {
  const at = bytesAt(folder, path);
  if (wayTo(folder, path) !== 'clear') return true;
  const there = found(at);
  if (there?.isDirectory()) return true;
  if (there !== undefined) unlinkSync(at);
  for (const above of foldersAbove(path).toReversed()) {
    try {
      rmdirSync(bytesAt(folder, above));
    } catch {
      return true;
    }
  }
  return true;
}

function put(path: TreePath, { from, to, workshop }: Carrying): boolean {
  const source = wayTo(from, path) === 'clear' ? found(bytesAt(from, path)) : undefined;
  if (!source?.isFile() && !source?.isSymbolicLink()) return false;
  if (!makeWay(to, path)) return false;
  const target = bytesAt(to, path);
  if (found(target)?.isDirectory() && !isRemoved(target)) return false;
  const place = (at: Buffer) => {
    if (source.isSymbolicLink()) symlinkSync(readlinkSync(bytesAt(from, path), { encoding: 'buffer' }), at);
    else copyPlain(bytesAt(from, path), at, source);
  };
  const made = Buffer.from(`${workshop}/${process.getBuiltinModule('node:crypto').randomUUID()}`);
  place(made);
  try {
    renameSync(made, target);
  } catch {
    unlinkSync(made);
    if (found(target) !== undefined) unlinkSync(target);
    place(target);
  }
  return true;
}

interface Source {
  readonly mode: number;
  readonly atimeMs: number;
  readonly mtimeMs: number;
}

/** With its times, so that what was built from it is not built again. */
function copyPlain(from: Buffer, to: Buffer, { mode, atimeMs, mtimeMs }: Source): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  chmodSync(to, mode & 0o777);
  utimesSync(to, atimeMs / 1000, mtimeMs / 1000);
}

function isRemoved(folder: Buffer): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

/** Whether all above a path are real folders. A link there would lead elsewhere. */
function wayTo(folder: string, path: TreePath): 'clear' | 'missing' | 'blocked' {
  for (const above of foldersAbove(path)) {
    const there = found(bytesAt(folder, above));
    if (there === undefined) return 'missing';
    if (!there.isDirectory()) return 'blocked';
  }
  return 'clear';
}

function makeWay(folder: string, path: TreePath): boolean {
  for (const above of foldersAbove(path)) {
    const at = bytesAt(folder, above);
    const there = found(at);
    if (there === undefined) mkdirSync(at);
    else if (!there.isDirectory()) return false;
  }
  return true;
}

/** The outermost first. */
function foldersAbove(path: TreePath): readonly TreePath[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Whether two files, or links, are the same byte by byte. Large ones are not compared: they count as different. */
export function isSameFile(one: Buffer, other: Buffer): boolean {
  const [a, b] = [found(one), found(other)];
  if (a?.isSymbolicLink() && b?.isSymbolicLink()) return readlinkSync(one) === readlinkSync(other);
  if (!a?.isFile() || !b?.isFile() || a.size !== b.size || a.size > MOST_COMPARED) return false;
  return readFileSync(one).equals(readFileSync(other));
}

const MOST_COMPARED = 64 * 1024 * 1024;
