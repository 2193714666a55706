import { cpSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../../kit/files/read.ts';
import { capture } from '../../process/capture.ts';
import type { Variables } from '../git/git-command.ts';
import { bytesAt, type Carrying, carry, found, isRealFolder, isSameFile, placed } from './carry.ts';
import { installLines, isEmpty, NEVER_BROUGHT } from './ignored-folders.ts';
import { isAtOrBelow, namesOf, type TreePath } from './tree-changes.ts';

/** Ralph writes there, and the sandbox shows it unchanged. */
const OURS = /(?:^|\/)\.ralph(?:\/|$)/;

/** Copies the operator's ignored files that are new or have changed since the last copy. A process keeps its own version of the others. */
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
const COMPARED_WITHIN_MS = 300_000;
/** Tools make these again by themselves. */
const CACHE = /(?:^|\/)(?:\.(?:pytest_cache|mypy_cache|ruff_cache|nyc_output|parcel-cache|turbo|vite|tox|nox|gradle|cache)|target)$/;

interface Keeping {
  readonly root: string;
  /** The folder they are in, which is removed afterwards, and the folder they go to: on the same disk. */
  readonly from: string;
  readonly to: string;
  /** Folders that the operator has too. */
  readonly known: readonly TreePath[];
}

interface Left extends Pick<Keeping, 'root'> {
  /** Removed afterwards. */
  readonly tree: string;
  readonly ignored: readonly TreePath[];
  readonly repositories: readonly TreePath[];
  readonly shared: readonly TreePath[];
  readonly folders: readonly TreePath[];
  readonly locks: readonly TreePath[];
  readonly env: Variables;
}

/** At the end of a run: keeps in another folder on the same disk what never lands, and returns what the operator should know of it. */
export async function keepWhatStays({ root, tree, ignored, repositories, shared, folders, locks, env }: Left, to: string): Promise<readonly string[]> {
  const keeping = { root, from: tree, to, known: [...shared, ...folders] };
  const own = repositories.filter((path) => !shared.includes(path));
  const kept = await keepRepositories(own, keeping, env);
  return [...kept, ...keepIgnored(ignored, keeping), ...installLines(folders.length === 0 ? [] : locks)];
}

/** The ignored files that the run made. */
function keepIgnored(ignored: readonly TreePath[], { root, from, to, known }: Keeping): readonly string[] {
  const own = ignored.filter((path) => !OURS.test(path) && !isAtOrBelow(path.replace(/\/$/, ''), known));
  const files = own.filter((path) => !path.endsWith('/') && !isSameFile(bytesAt(root, path), bytesAt(from, path)));
  const folders = own.filter(
    (path) => path.endsWith('/') && !NEVER_BROUGHT.test(path.slice(0, -1)) && !CACHE.test(path.slice(0, -1)) && !isEmpty(from, path.slice(0, -1)),
  );
  const kept = files.filter((path) => isMoved(path, from, to));
  return [
    ...(kept.length === 0 ? [] : [`what git ignores does not land: ${listed(kept)}, as the agent left ${kept.length === 1 ? 'it' : 'them'}, is now in ${to}`]),
    ...(folders.length === 0 ? [] : [`ignored folders that the run made do not land: ${listed(folders)}; make them yourself if you need them (npm ci, …)`]),
  ];
}

/** The same for the copies of nested repositories, of which nothing lands: those that differ from the operator's in more than what git knows of file times. */
async function keepRepositories(repositories: readonly TreePath[], { root, from, to }: Omit<Keeping, 'known'>, env: Variables): Promise<readonly string[]> {
  const kept: TreePath[] = [];
  for (const path of repositories) {
    const sides = namesOf([path]).flatMap((name) => [join(root, name), join(from, name)]);
    const compared = { file: 'diff', args: ['-rq', '--no-dereference', '-x', 'index', '--', ...sides], cwd: from, env, timeoutMs: COMPARED_WITHIN_MS };
    if (isRealFolder(from, path) && (await capture(compared)).code !== 0 && isMoved(path, from, to)) kept.push(path);
  }
  return kept.length === 0 ? [] : [`what was made in a repository of its own does not land: ${listed(kept)}, as it was left, is now in ${to}`];
}

/** Renaming needs no free disk space, unless the target is on another disk. */
function isMoved(path: TreePath, from: string, to: string): boolean {
  const file = found(bytesAt(from, path));
  if (!file?.isFile() && !file?.isSymbolicLink() && !file?.isDirectory()) return false;
  try {
    mkdirSync(to, { recursive: true });
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (folder !== '' && placed(to, [folder]).length === 0) return false;
    try {
      renameSync(bytesAt(from, path), bytesAt(to, path));
    } catch (error) {
      if (!hasCode(error, 'EXDEV')) throw error;
      cpSync(bytesAt(from, path).toString(), bytesAt(to, path).toString(), { recursive: true, verbatimSymlinks: true });
    }
    return true;
  } catch {
    return false;
  }
}

function listed(paths: readonly TreePath[]): string {
  const names = paths.slice(0, MOST_NAMED).map((path) => Buffer.from(path, 'latin1').toString());
  return `${names.join(', ')}${paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : ''}`;
}
