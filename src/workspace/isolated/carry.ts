import {
  chmodSync,
  constants,
  copyFileSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import { hasCode } from '../../kit/files/read.ts';
import type { Change, TreePath } from './tree-changes.ts';

export interface Carrying {
  /** All three paths are absolute. */
  readonly from: string;
  readonly to: string;
  /** Where a file is written before it is renamed to its place, so that nobody sees half of one; null if nobody looks. */
  readonly workshop: string | null;
}

/** Folders that are known to be real, not links. */
interface Known {
  readonly from: Set<TreePath>;
  readonly to: Set<TreePath>;
}

/** After this many files, others get a turn. */
const AT_ONCE = 200;

/**
 * Makes the changed paths below one folder the same as below another: plain files with their modes and times, and links as they are. No process may be
 * working in either folder. Returns what could not be carried: something else is in its place, a folder with other files or a link is on the way, or the disk
 * refuses.
 */
export async function carry(changes: readonly Change[], carrying: Carrying): Promise<readonly Change[]> {
  const refused: Change[] = [];
  const gone = changes.filter(({ after }) => after === null).toReversed();
  const come = changes.filter(({ after }) => after !== null);
  const known: Known = { from: new Set(), to: new Set() };
  for (const change of gone) if (!orFalse(() => remove(carrying.to, change.path))) refused.push(change);
  for (const [index, change] of come.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await breathe();
    if (!orFalse(() => put(change.path, carrying, known))) refused.push(change);
  }
  return refused;
}

/** Unreadable files, folders without write permission, paths that are too long. */
const REFUSALS = ['EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG', 'ELOOP', 'EBUSY', 'EISDIR', 'ENOTDIR', 'ENOENT'];

function orFalse(work: () => boolean): boolean {
  try {
    return work();
  } catch (error) {
    if (REFUSALS.some((code) => hasCode(error, code))) return false;
    throw error;
  }
}

/** The bytes of a path for the file system. */
export function bytesAt(folder: string, path: TreePath): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);
}

/** Undefined also where a file is in the place of a folder, and where the path is too long. */
export function found(path: Buffer): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (hasCode(error, 'ENOTDIR') || hasCode(error, 'ENAMETOOLONG')) return undefined;
    throw error;
  }
}

/** Removes folders that become empty too, as git does. */
function remove(folder: string, path: TreePath): boolean {
  const at = bytesAt(folder, path);
  if (!isClear(folder, path, new Set())) return true;
  const there = found(at);
  if (there?.isDirectory()) return true;
  if (there !== undefined) unlinkSync(at);
  for (const above of foldersAbove(path).toReversed()) if (!isRemoved(bytesAt(folder, above))) break;
  return true;
}

function put(path: TreePath, { from, to, workshop }: Carrying, known: Known): boolean {
  const source = isClear(from, path, known.from) ? found(bytesAt(from, path)) : undefined;
  if (!source?.isFile() && !source?.isSymbolicLink()) return false;
  if (!makeWay(to, path, known.to)) return false;
  const target = bytesAt(to, path);
  const there = found(target);
  if (there?.isDirectory() && !isRemoved(target)) return false;
  const place = (at: Buffer) => {
    if (source.isSymbolicLink()) symlinkSync(readlinkSync(bytesAt(from, path), { encoding: 'buffer' }), at);
    else copyPlain(bytesAt(from, path), at, source);
  };
  if (workshop !== null) return isPutByName({ place, target, workshop, owner: ownerAt(to, path, there) });
  if (there !== undefined && !there.isDirectory()) unlinkSync(target);
  place(target);
  return true;
}

interface Put {
  readonly place: (at: Buffer) => void;
  readonly target: Buffer;
  readonly workshop: string;
  readonly owner: Owner | null;
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The owner that a file written in place would have: that of the file before it. In a folder with the set-group bit, a new file belongs to the folder's
 * group.
 */
function ownerAt(folder: string, path: TreePath, there: Stats | undefined): Owner | null {
  if (there !== undefined && !there.isDirectory()) return there;
  const above = foldersAbove(path).at(-1);
  const around = found(above === undefined ? Buffer.from(folder) : bytesAt(folder, above));
  return around !== undefined && (around.mode & SET_GROUP) !== 0 ? { uid: SAME, gid: around.gid } : null;
}

const SET_GROUP = 0o2000;
const SAME = -1;

/** As far as the permissions allow. */
function giveTo(made: Buffer, { uid, gid }: Owner): void {
  try {
    lchownSync(made, uid, gid);
  } catch {
    if (uid !== SAME) giveTo(made, { uid: SAME, gid });
  }
}

/** Writes the file elsewhere first: beside its place if the workshop is on another disk. The old file stays until then, even on a full disk. */
function isPutByName({ place, target, workshop, owner }: Put): true {
  const name = `.ralph-${process.getBuiltinModule('node:crypto').randomUUID()}`;
  const beside = Buffer.concat([target.subarray(0, target.lastIndexOf('/') + 1), Buffer.from(name)]);
  const inWorkshop = Buffer.from(`${workshop}/${name}`);
  for (const made of [inWorkshop, beside]) {
    try {
      place(made);
      if (owner !== null) giveTo(made, owner);
      renameSync(made, target);
      return true;
    } catch (error) {
      rmSync(made, { force: true });
      if (made === beside || !hasCode(error, 'EXDEV')) throw error;
    }
  }
  return true;
}

/** Keeps the mode, and the times, so that what was built from the file is not built again. */
function copyPlain(from: Buffer, to: Buffer, { mode, atimeMs, mtimeMs }: Stats): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  if ((mode & SPECIAL) !== 0) chmodSync(to, mode & 0o777);
  utimesSync(to, atimeMs / 1000, mtimeMs / 1000);
}

/** The bits that make a program run as another user. */
const SPECIAL = 0o7000;

function isRemoved(folder: Buffer): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

/** Makes a folder at each of these paths for a mount. Returns the paths that have one: it never goes through a link. */
export function placed(folder: string, paths: readonly TreePath[]): readonly TreePath[] {
  return paths.filter((path) => makeWay(folder, `${path}/`, new Set()));
}

/** Makes a folder or an empty file for each mount, whichever the source is. */
export function placedFor(folder: string, from: string, paths: readonly TreePath[]): readonly TreePath[] {
  return paths.filter((path) => {
    if (found(bytesAt(from, path))?.isFile() !== true) return placed(folder, [path]).length > 0;
    if (!makeWay(folder, path, new Set())) return false;
    const there = found(bytesAt(folder, path));
    if (there === undefined) writeFileSync(bytesAt(folder, path), '', { flag: 'wx' });
    return there === undefined || there.isFile();
  });
}

/** Whether a path is a folder, and every folder above it is real. */
export function isRealFolder(folder: string, path: TreePath): boolean {
  return isClear(folder, `${path}/`, new Set());
}

/** Whether every folder above a path is real. A link there would lead elsewhere. */
function isClear(folder: string, path: TreePath, known: Set<TreePath>): boolean {
  return everyFolderAbove(path, known, (above) => found(bytesAt(folder, above))?.isDirectory() === true);
}

function makeWay(folder: string, path: TreePath, known: Set<TreePath>): boolean {
  return everyFolderAbove(path, known, (above) => {
    const there = found(bytesAt(folder, above));
    if (there === undefined) mkdirSync(bytesAt(folder, above));
    return there === undefined || there.isDirectory();
  });
}

function everyFolderAbove(path: TreePath, known: Set<TreePath>, isReal: (above: TreePath) => boolean): boolean {
  const end = path.lastIndexOf('/');
  if (end === -1 || known.has(path.slice(0, end))) return true;
  const isGood = foldersAbove(path).every((above) => known.has(above) || isReal(above));
  if (isGood) known.add(path.slice(0, end));
  return isGood;
}

/** Outermost first. */
function foldersAbove(path: TreePath): readonly TreePath[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Whether two files, or links, are equal byte by byte. Large files are not compared: they count as different. */
export function isSameFile(one: Buffer, other: Buffer): boolean {
  const [a, b] = [found(one), found(other)];
  if (a?.isSymbolicLink() && b?.isSymbolicLink()) return readlinkSync(one) === readlinkSync(other);
  if (!a?.isFile() || !b?.isFile() || a.size !== b.size || a.size > MOST_COMPARED) return false;
  return readFileSync(one).equals(readFileSync(other));
}

const MOST_COMPARED = 64 * 1024 * 1024;
