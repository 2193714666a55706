import { mkdirSync, readdirSync } from 'node:fs';
import { bytesAt, type Carrying, carry, found, isSameFile } from './carry.ts';
import { isAtOrBelow, type TreePath } from './tree-changes.ts';

/** More of them make every start slow. */
const MOST_SHARED = 100;
/** Python makes one beside each folder of files, and makes them again. */
const NEVER_SHARED = /(?:^|\/)__pycache__$/;
/** Ralph writes there, and the wall shows it as it is. */
const OURS = /(?:^|\/)\.ralph(?:\/|$)/;

interface Sides {
  /** The operator's work tree, and the folder that stands for it. */
  readonly root: string;
  readonly tree: string;
}

/**
 * The folders that a process shares with the operator: those it must, and ignored ones such as node_modules, which are too large to copy, unless one of its own
 * is there already.
 */
export function shareable(live: readonly TreePath[], ignored: readonly TreePath[], { root, tree }: Sides): readonly TreePath[] {
  const folders = ignored.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1));
  const wanted = folders.filter((path) => !NEVER_SHARED.test(path) && !OURS.test(path) && isEmpty(tree, path)).slice(0, MOST_SHARED);
  const shared = [...new Set([...live, ...wanted])].filter((path) => isFolder(root, path));
  for (const path of shared) mkdirSync(bytesAt(tree, path), { recursive: true });
  return shared;
}

function isFolder(top: string, path: TreePath): boolean {
  return found(bytesAt(top, path))?.isDirectory() === true;
}

/** Also where nothing is: it is then made as a place for the other. */
function isEmpty(top: string, path: TreePath): boolean {
  if (found(bytesAt(top, path)) === undefined) return true;
  return isFolder(top, path) && readdirSync(bytesAt(top, path)).length === 0;
}

/** Copies ignored files that are new at the operator's, or other ones than they were. A process keeps what it made of the rest. */
export async function bringIgnored(
  ignored: readonly TreePath[],
  copied: Readonly<Record<TreePath, string>>,
  carrying: Carrying & { readonly shared: readonly TreePath[] },
): Promise<Readonly<Record<TreePath, string>>> {
  const files = ignored.filter((path) => !path.endsWith('/') && !OURS.test(path) && !isAtOrBelow(path, carrying.shared));
  const looks = Object.fromEntries(files.map((path) => [path, looksOf(carrying.from, path)]));
  const changed = files.filter((path) => looks[path] !== copied[path]);
  await carry(changed.map(changeTo), carrying);
  return { ...copied, ...looks };
}

function looksOf(top: string, path: TreePath): string {
  const file = found(bytesAt(top, path));
  return file === undefined ? '' : `${file.ino} ${file.size} ${file.mtimeMs} ${file.ctimeMs}`;
}

const changeTo = (path: TreePath) => ({ path, before: null, after: { mode: '100644', id: '' } });

const MOST_NAMED = 5;

/** At the end: keeps the ignored files that a run made, which never land, and says what becomes of them. */
export async function keepIgnored(
  ignored: readonly TreePath[],
  { root, shared, ...carrying }: Carrying & { readonly root: string; readonly shared: readonly TreePath[] },
): Promise<readonly string[]> {
  const own = ignored.filter((path) => !OURS.test(path) && !isAtOrBelow(path.replace(/\/$/, ''), shared));
  const files = own.filter((path) => !path.endsWith('/') && !isSameFile(bytesAt(root, path), bytesAt(carrying.from, path)));
  const folders = own.filter((path) => path.endsWith('/') && !NEVER_SHARED.test(path.slice(0, -1)) && !isEmpty(carrying.from, path.slice(0, -1)));
  if (files.length > 0) mkdirSync(carrying.to, { recursive: true });
  await carry(files.map(changeTo), carrying);
  return [
    ...(files.length === 0
      ? []
      : [`what git ignores does not land: ${listed(files)} as the agent left ${files.length === 1 ? 'it' : 'them'} is in ${carrying.to}`]),
    ...(folders.length === 0
      ? []
      : [`ignored folders that the agent made are gone with the run: ${listed(folders)}; make them again if you need them (npm ci, …)`]),
  ];
}

function listed(paths: readonly TreePath[]): string {
  const names = paths.slice(0, MOST_NAMED).map((path) => Buffer.from(path, 'latin1').toString());
  return `${names.join(', ')}${paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : ''}`;
}
