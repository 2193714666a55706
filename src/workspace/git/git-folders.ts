import { must } from '../tasks/locks.ts';
import type { Git } from './git-command.ts';

/** The names from which git recognises a folder as a repository, in lower case: some disks do not tell the cases apart. */
const PARTS = new Set(['head', 'commondir', 'config', 'config.worktree', 'objects', 'refs', 'hooks', 'info', 'worktrees']);

/** Folders that have a part of a repository among these paths, with the parts; `/` ends those that are folders. The top of a tree is none: git finds its `.git` first. */
export function foldersWithParts(paths: Iterable<string>): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>();
  for (const path of paths) {
    const names = path.split('/');
    for (const [index, name] of names.entries()) {
      const part = name.toLowerCase();
      if (index === 0 || !PARTS.has(part)) continue;
      const folder = names.slice(0, index).join('/');
      folders.set(folder, (folders.get(folder) ?? new Set()).add(index < names.length - 1 ? `${part}/` : part));
    }
  }
  return folders;
}

/**
 * Whether git takes a folder with these entries for a repository. It reads HEAD and commondir, so they must be files or links. It only asks whether it may
 * enter objects and refs, so executable files will do.
 */
export const isGitFolder = (kindOf: (name: string) => 'file' | 'folder' | null) =>
  kindOf('HEAD') === 'file' && (kindOf('commondir') === 'file' || (kindOf('objects') !== null && kindOf('refs') !== null));

/** What a person or an agent is told of such a folder. */
export const wouldBeObeyed = (folder: string) => `${folder} has HEAD, objects and refs: git would take it for a repository and obey its settings`;

const MOST_ASKED = 200;
/** In place of what is not text. Git cannot be asked for such a name. */
const NOT_TEXT = '\uFFFD';

/**
 * A folder that git takes for a repository although it is not called `.git`, if these paths are added to or changed in that tree; null if there is none. Git
 * that is started in such a folder runs what its settings say.
 */
export async function gitFolderIn(git: Git, tree: string | null, paths: Iterable<string>): Promise<string | null> {
  const folders = foldersWithParts(paths);
  const asked = [...folders.keys()];
  if (asked.length === 0) return null;
  if (tree !== null) {
    const isWhole = asked.length > MOST_ASKED || asked.some((folder) => folder.includes(NOT_TEXT));
    const words = isWhole ? ['-r', '-t', tree] : [tree, '--', ...asked.map((folder) => `${folder}/`)];
    const listed = must(await git(['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', ...words]), 'git cannot list files');
    for (const [, type, folder = '', name = ''] of listed.matchAll(/\d+ (\w+) \w+\t([^\0]*)\/([^\0/]+)\0/g))
      folders.get(folder)?.add(`${name.toLowerCase()}${type === 'tree' ? '/' : ''}`);
  }
  const kindIn = (parts: ReadonlySet<string> | undefined, part: string) => (parts?.has(part) ? 'file' : parts?.has(`${part}/`) ? 'folder' : null);
  return asked.find((folder) => isGitFolder((name) => kindIn(folders.get(folder), name.toLowerCase()))) ?? null;
}

/** The names that a command of git lists. They are not trimmed: a name may begin with a space. */
export async function namesIn(git: Git, [command = '', ...words]: readonly string[]): Promise<readonly string[]> {
  const answer = await git([command, '-z', ...words]);
  must(answer, 'git cannot list files');
  return answer.stdout.split('\0').filter(Boolean);
}

const SETTINGS = ['log.showRoot=true', 'diff.relative=false'].flatMap((setting) => ['-c', setting]);
const LISTED = ['-z', '--no-renames', '--ignore-submodules=none'];
const RAW = [...LISTED, '--raw', '--no-abbrev'];

const logged = async (git: Git, words: readonly string[], tips: readonly string[], from: string | null) =>
  must(await git([...SETTINGS, 'log', ...words, ...tips, ...(from === null ? [] : [`^${from}`]), '--']), 'what an agent committed cannot be listed');

/** All paths that a commit has otherwise than one of its parents. */
export async function committedPaths(git: Git, tips: readonly string[], from: string | null): Promise<readonly string[]> {
  return [...new Set((await logged(git, ['--format=', '-m', '--name-only', ...LISTED], tips, from)).split('\0').filter(Boolean))];
}

/** The mode of what a commit removes. */
export const REMOVED = '000000';

/**
 * What the commits of an agent bring: all that is otherwise in the end, and all that one of them has otherwise than each of its parents, since what a later
 * commit undoes is still in the history. What a merge has unchanged from the side of `from` is not the agent's.
 */
export async function committedEntries(git: Git, head: string, from: string | null): Promise<readonly { readonly path: string; readonly mode: string }[]> {
  const each = await logged(git, ['--format=parents %P', '-c', ...RAW], [head], from);
  const isPlain = from === null || !/parents \w+ \w/.test(each);
  const inTheEnd = isPlain ? '' : must(await git(['diff-tree', '-r', ...RAW, from, head]), 'what an agent committed cannot be listed');
  return [...`${inTheEnd}\0${each}`.matchAll(/:(?:\d{6} )+?(\d{6}) (?:[0-9a-f]{40,} )+\w+\0([^\0]+)\0/g)].map(([, mode = '', path = '']) => ({ path, mode }));
}
