import { mkdirSync } from 'node:fs';
import { bytesAt, type Carrying, carry, found, isSameFile } from './carry.ts';
import { isEmpty, NEVER_BROUGHT } from './ignored-folders.ts';
import { isAtOrBelow, type TreePath } from './tree-changes.ts';

/** Ralph writes there, and the wall shows it as it is. */
const OURS = /(?:^|\/)\.ralph(?:\/|$)/;

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

/** At the end: keeps the ignored files that a run made, which never land, and says what becomes of them. `known`: folders that the operator has, too. */
export async function keepIgnored(
  ignored: readonly TreePath[],
  { root, known, ...carrying }: Carrying & { readonly root: string; readonly known: readonly TreePath[] },
): Promise<readonly string[]> {
  const own = ignored.filter((path) => !OURS.test(path) && !isAtOrBelow(path.replace(/\/$/, ''), known));
  const files = own.filter((path) => !path.endsWith('/') && !isSameFile(bytesAt(root, path), bytesAt(carrying.from, path)));
  const folders = own.filter((path) => path.endsWith('/') && !NEVER_BROUGHT.test(path.slice(0, -1)) && !isEmpty(carrying.from, path.slice(0, -1)));
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
