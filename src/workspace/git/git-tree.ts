import type { Snapshot } from '../../engine/ports/git.ts';
import { OUR_FILES } from '../git-exclude.ts';
import { firstComplaint, type Git, type Variables } from './git-command.ts';
import type { GitScratch } from './git-scratch.ts';

/** The working copy, named by its tree. */
interface NamedTree {
  readonly tree: string | null;
  /** One line of git's about what is missing in it, or why there is none. */
  readonly problem: string | null;
  /** All that git said while it read the files. */
  readonly said: string;
}

/** Names the working copy, and leaves it in the index of the variables. The words are more ones for `git add`. */
export async function nameTree(git: Git, own: Variables, words: readonly string[] = []): Promise<NamedTree> {
  const added = await addAll(git, own, words);
  if (!added.isAdded) return { tree: null, ...added };
  const written = await git(['write-tree', ...(isThrownAway(own) ? ['--missing-ok'] : [])], own);
  if (written.code !== 0) return { ...added, tree: null, problem: firstComplaint(written) };
  return { ...added, tree: written.stdout.trim() };
}

interface Added extends Omit<NamedTree, 'tree'> {
  readonly isAdded: boolean;
}

/** Puts the working copy, but for our own files, into the index of the variables. What is thrown away is not packed small before. */
export async function addAll(git: Git, own: Variables, words: readonly string[] = []): Promise<Added> {
  const unpacked = isThrownAway(own) ? ['-c', 'core.looseCompression=0', '-c', 'pack.compression=0'] : [];
  const added = await git([...unpacked, 'add', '--all', '--ignore-errors', ...words, ':/'], own);
  const said = added.stderr;
  // With 1 it has added all but the files it complains of: unreadable ones, and nested repositories without a commit.
  if (added.code !== 0 && added.code !== 1) return { isAdded: false, problem: firstComplaint(added), said };
  const refused = await putBackOurFiles(git, own);
  if (refused !== null) return { isAdded: false, problem: refused, said };
  return { isAdded: true, problem: added.code === 0 ? null : firstComplaint(added), said };
}

const isThrownAway = (own: Variables) => 'GIT_OBJECT_DIRECTORY' in own;

interface WithTree<T> extends NamedTree {
  readonly more: T | null;
}

type Ask<T> = (named: { readonly tree: string; readonly said: string }, own: Variables) => Promise<T>;

/** Names the working copy, and asks more about it while its objects are there. */
export async function withTree<T>(git: Git, scratch: GitScratch, ask: Ask<T>): Promise<WithTree<T>> {
  try {
    const own = await scratch.ready();
    const named = await nameTree(git, own);
    return { ...named, more: named.tree === null ? null : await ask({ tree: named.tree, said: named.said }, own) };
  } catch (error) {
    return { tree: null, problem: (error as Error).message, said: '', more: null };
  } finally {
    await scratch.empty();
  }
}

export async function treeOfWorkingCopy(git: Git, scratch: GitScratch): Promise<string | null> {
  return (await withTree(git, scratch, async () => null)).tree;
}

export async function snapshot(git: Git, scratch: GitScratch): Promise<Snapshot> {
  const { code, stdout } = await git(['rev-parse', '--verify', '--quiet', 'HEAD']);
  const head = code === 0 ? stdout.trim() : null;
  const { tree, problem, more } = await withTree(git, scratch, (named, own) => differingPaths(git, { from: head, to: named.tree, own }));
  return { head, tree, dirty: more ?? [], problem };
}

interface Compared {
  /** A commit or a tree; null for nothing at all. */
  readonly from: string | null;
  readonly to: string;
  readonly own: Variables;
}

/** Compares two trees and no files. */
export async function differingPaths(git: Git, { from, to, own }: Compared): Promise<string[]> {
  const names = ['-r', '-z', '--name-only'];
  const { stdout } = await git(from === null ? ['ls-tree', '--full-tree', ...names, to] : ['diff-tree', '--no-renames', ...names, from, to], own);
  return stdout.split('\0').filter(Boolean);
}

/**
 * Makes our own files in that index what HEAD has of them, be it nothing: whoever forced them into an index or a commit
 * makes no work of them. Null, or git's complaint.
 */
async function putBackOurFiles(git: Git, own: Variables): Promise<string | null> {
  const found = await git(['diff', '--cached', '--quiet', '--no-renames', '--no-ext-diff', '--', ...PATHSPECS], own);
  if (found.code === 0) return null;
  const answer = found.code === 1 ? await git(['reset', '--quiet', '--', ...PATHSPECS], own) : found;
  return answer.code === 0 ? null : firstComplaint(answer);
}

const PATHSPECS = OUR_FILES.map(pathspecOf);

/** A .gitignore leaves out a whole folder by its name, and without a slash means every folder; a pathspec has to say so. */
function pathspecOf(pattern: string): string {
  const [magic, path] = pattern.startsWith('!') ? ['top,glob,exclude', pattern.slice(1)] : ['top,glob', pattern];
  return `:(${magic})${path.includes('/') ? '' : '**/'}${path.replace(/\/\*$/, '/**')}`;
}
