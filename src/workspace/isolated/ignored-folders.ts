import { existsSync, readdirSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { capture } from '../../process/capture.ts';
import type { Variables } from '../git/git-command.ts';
import { installLine } from '../lock-files.ts';
import { bytesAt, found, isRealFolder, placed } from './carry.ts';
import type { TreePath } from './tree-changes.ts';

/** Above this, folders are shared instead of copied: the sum of all folders of a run. */
const MOST_ENTRIES = 100_000;
const MOST_BYTES = 2 * 1024 ** 3;
/** A larger file is shared. */
const LARGE_FILE = 256 * 1024 * 1024;
const COPIED_WITHIN_MS = 600_000;
/** More of them would make every start slow. */
const MOST_SHARED = 100;
/** Python makes `__pycache__` beside each folder of files, and makes it again; `.ralph` is Ralph's own. */
export const NEVER_BROUGHT = /(?:^|\/)(?:__pycache__|\.ralph)$/;

export interface Sides {
  /** The operator's work tree, and the folder that replaces it. */
  readonly root: string;
  readonly tree: string;
  /** For half-finished copies, on the disk of that folder. */
  readonly folder: string;
  readonly env: Variables;
  /**
   * Set if nothing can be shared: everything is copied, whatever its size, and this is called for what could not be copied completely. Absent: what is too
   * large is shared.
   */
  readonly onHalf?: (name: string) => void;
}

export interface BroughtFolders {
  /** What a process shares with the operator: what has to be shared, and what is too large to copy. */
  readonly shared: readonly TreePath[];
  /** What the process has as its own from now on. */
  readonly copied: readonly TreePath[];
}

/**
 * Gives a process the operator's ignored folders, such as node_modules, and nested repositories. Ralph copies each of them once, because a mounted folder cannot be removed and `rm
 * -rf dist && npm run build` would fail. What is too large is shared.
 */
export async function bringFolders(live: readonly TreePath[], { ignored, known }: Wish, sides: Sides): Promise<BroughtFolders> {
  const isAllCopied = sides.onHalf !== undefined;
  const wanted = ignored.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1));
  const folders = wanted.filter((path) => !NEVER_BROUGHT.test(path) && !known.includes(path) && isRealFolder(sides.root, path) && isEmpty(sides.tree, path));
  const left = { entries: MOST_ENTRIES, bytes: MOST_BYTES };
  const copied: TreePath[] = [];
  for (const path of folders) if ((isAllCopied || (await fits(bytesAt(sides.root, path), left))) && (await isCopied(path, sides))) copied.push(path);
  if (isAllCopied) return { shared: live, copied: folders };
  const large = folders.filter((path) => !copied.includes(path)).slice(0, MOST_SHARED);
  const mustBe = [...live, ...large].filter((path) => isRealFolder(sides.root, path));
  return { shared: [...new Set([...mustBe, ...ignored.filter((path) => isLargeFile(path, sides))])], copied };
}

interface Wish {
  readonly ignored: readonly TreePath[];
  /** Those that were copied before, even if they are gone: what a process has removed stays removed. */
  readonly known: readonly TreePath[];
}

/** Not if the process already has its own file there. */
function isLargeFile(path: TreePath, { root, tree }: Sides): boolean {
  const [file, there] = [found(bytesAt(root, path)), found(bytesAt(tree, path))];
  return file?.isFile() === true && file.size > LARGE_FILE && (there?.size ?? 0) === 0;
}

/** Counts a folder against the remaining limits. Returns false, and leaves the limits alone, if it does not fit. */
async function fits(folder: Buffer, left: { entries: number; bytes: number }): Promise<boolean> {
  const rest = { ...left };
  const open = [folder];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const entries = entriesOf(at);
    rest.entries -= entries.length;
    rest.bytes -= entries.reduce((sum, { bytes }) => sum + bytes, 0);
    if (rest.entries < 0 || rest.bytes < 0) return false;
    open.push(...entries.flatMap(({ path, isFolder: isOne }) => (isOne ? [path] : [])));
    await breathe();
  }
  Object.assign(left, rest);
  return true;
}

function entriesOf(folder: Buffer): readonly { readonly path: Buffer; readonly bytes: number; readonly isFolder: boolean }[] {
  return readdirSync(folder, { encoding: 'buffer' }).map((name) => {
    const path = Buffer.concat([folder, Buffer.from('/'), name]);
    const entry = found(path);
    return { path, bytes: entry?.isFile() ? entry.size : 0, isFolder: entry?.isDirectory() === true };
  });
}

/** On Linux, cp clones by default where the file system can. */
const CLONING = process.platform === 'darwin' ? ['-c'] : [];

/** Uses the system's own cp, which is fast and can clone. */
export async function isCopiedInto(to: string, from: string, env: Variables): Promise<boolean> {
  const args = [...CLONING, '-a', '--', from, to];
  return (await capture({ file: 'cp', args, cwd: dirname(to), env, timeoutMs: COPIED_WITHIN_MS })).code === 0;
}

/** A folder whose name is not text is shared. */
async function isCopied(path: TreePath, { root, tree, folder, env, onHalf }: Sides): Promise<boolean> {
  const name = Buffer.from(path, 'latin1').toString();
  const half = join(folder, 'half');
  await rm(half, { recursive: true, force: true });
  const isWhole = await isCopiedInto(half, join(root, name), env);
  try {
    if (!isWhole) onHalf?.(name);
    if (!isWhole && (onHalf === undefined || !existsSync(half))) return false;
    // Never copies through a link.
    if (placed(tree, [path]).length === 0) return false;
    await rm(join(tree, name), { recursive: true, force: true });
    renameSync(half, join(tree, name));
    return true;
  } catch {
    return false;
  } finally {
    await rm(half, { recursive: true, force: true });
  }
}

/** True also if nothing is there: the place for the other folder is then made. */
export function isEmpty(top: string, path: TreePath): boolean {
  if (found(bytesAt(top, path)) === undefined) return true;
  return isRealFolder(top, path) && readdirSync(bytesAt(top, path)).length === 0;
}

/** What the operator has to do if packages were installed only inside the sandbox. */
export function installLines(locks: readonly TreePath[]): readonly string[] {
  return locks.map((path) => `${path} has changed, and what was installed for it stayed inside: bring your own packages up to date with: ${installLine(path)}`);
}
