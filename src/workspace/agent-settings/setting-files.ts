import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmdirSync, rmSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasCode } from '../../kit/files/read.ts';

/** Outermost first. */
function aboveOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Removes a path, and the folders above it that are empty then. */
export function removeIn(tree: string, path: string): void {
  rmSync(join(tree, path), { recursive: true, force: true });
  for (const folder of aboveOf(path).toReversed()) {
    try {
      rmdirSync(join(tree, folder));
    } catch {
      return;
    }
  }
}

/** What has to be moved away: the path itself, or whatever stands where a folder above it should be. */
export function obstacleAt(tree: string, path: string): string | null {
  const inTheWay = aboveOf(path).find((folder) => statOf(join(tree, folder))?.isDirectory() === false);
  return inTheWay ?? (statOf(join(tree, path)) === null ? null : path);
}

/** Stands for a path that a link leads to, or that cannot exist because of a file above it. It is like nothing else. */
const ELSEWHERE = Symbol('elsewhere');

/** Null if it does not exist. */
export function pathAt(tree: string, path: string): string | typeof ELSEWHERE | null {
  if (aboveOf(path).some((folder) => statOf(join(tree, folder))?.isDirectory() === false)) return ELSEWHERE;
  return statOf(join(tree, path)) === null ? null : join(tree, path);
}

export const statOf = (path: string): Stats | null => lstatSync(path, { throwIfNoEntry: false }) ?? null;

/** Files, folders and links; nothing else can be a setting. A link stays a link. */
export function copyPath(from: string, to: string): void {
  if (statOf(from) === null) return;
  const isPlain = (path: string) => {
    const found = statOf(path);
    return found !== null && (found.isFile() || found.isDirectory() || found.isSymbolicLink());
  };
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, filter: isPlain });
}

/** Also to another disk. */
export function movePath(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  try {
    renameSync(from, to);
  } catch (error) {
    if (!hasCode(error, 'EXDEV')) throw error;
    // Whoever finds it at its new path finds all of it.
    copyPath(from, `${to}.half`);
    renameSync(`${to}.half`, to);
    rmSync(from, { recursive: true, force: true });
  }
}

const OWNER_MAY = { folder: 0o700, file: 0o600 };

/** Gives the owner back the rights to a path and to the folders above it, whatever an agent has taken away. Follows no link. */
export function openRights(tree: string, path: string): void {
  for (const folder of ['', ...aboveOf(path)]) if (!isOpened(join(tree, folder))) return;
  openBelow(join(tree, path));
}

function openBelow(path: string): void {
  if (isOpened(path)) for (const name of readdirSync(path)) openBelow(join(path, name));
}

/** False if it is no folder. */
function isOpened(path: string): boolean {
  const found = statOf(path);
  if (found === null || found.isSymbolicLink()) return false;
  const rights = found.isDirectory() ? OWNER_MAY.folder : OWNER_MAY.file;
  if ((found.mode & rights) !== rights) chmodSync(path, (found.mode & 0o777) | rights);
  return found.isDirectory();
}

/** The kind of a file, and whether it can be run. */
const kindOf = (found: Stats) => found.mode & (found.isFile() ? 0o170111 : 0o170000);

/** Compares two paths with everything below them; null is the same as a path that does not exist. */
export function isSame(one: string, other: string | typeof ELSEWHERE | null): boolean {
  if (other === ELSEWHERE) return false;
  const [a, b] = [statOf(one), other === null ? null : statOf(other)];
  if (a === null || b === null || other === null) return a === null && b === null;
  if (kindOf(a) !== kindOf(b)) return false;
  if (a.isSymbolicLink()) return readlinkSync(one) === readlinkSync(other);
  if (a.isFile()) return a.size === b.size && readFileSync(one).equals(readFileSync(other));
  if (!a.isDirectory()) return false;
  const [names, others] = [readdirSync(one).toSorted(), readdirSync(other).toSorted()];
  return names.length === others.length && names.every((name, index) => name === others[index] && isSame(join(one, name), join(other, name)));
}
