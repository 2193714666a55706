import type { Snapshot, TreeLook } from '../../engine/ports/git.ts';
import { OUR_FILES } from '../git-exclude.ts';
import { firstComplaint, type Git, type Variables } from './git-command.ts';
import { type HistoryPlace, headIn, knownTreeOf } from './git-place.ts';
import type { GitScratch } from './git-scratch.ts';
import { treeInIndex } from './index-tree.ts';

/** The working copy, named by its tree. */
interface NamedTree {
  readonly tree: string | null;
  /** One line from git about what is missing in it, or why there is none. */
  readonly problem: string | null;
  /** Git's output while it read the files. */
  readonly said: string;
}

interface Naming extends Partial<Pick<GitScratch, 'ownOutput'>> {
  /** More words for `git add`. */
  readonly words?: readonly string[];
  /** True if the index is known to have Ralph's own files as in HEAD: they are then looked for only among the changes. */
  readonly isClean?: boolean;
}

/** Names the working copy, and leaves it in the index that the variables select. */
export async function nameTree(git: Git, own: Variables, naming: Naming = {}): Promise<NamedTree & Pick<Added, 'wasClean'>> {
  const added = await addAll(git, own, naming);
  return added.isAdded ? { ...(await write(git, own, added)), wasClean: added.wasClean } : { ...added, tree: null };
}

async function write(git: Git, own: Variables, { problem, said }: Pick<Added, 'problem' | 'said'>): Promise<NamedTree> {
  const written = await git(['write-tree', ...(isThrownAway(own) ? ['--missing-ok'] : [])], own);
  return written.code === 0 ? { tree: written.stdout.trim(), problem, said } : { tree: null, problem: firstComplaint(written), said };
}

interface Added extends Omit<NamedTree, 'tree'> {
  readonly isAdded: boolean;
  /** The changes to the index, as git prints them. */
  readonly changes: string;
  /** Whether the index had Ralph's own files as in HEAD. */
  readonly wasClean: boolean;
}

/** Puts the working copy, without Ralph's own files, into the index that the variables select. */
export async function addAll(git: Git, own: Variables, { words = [], isClean = false, ownOutput = [] }: Naming = {}): Promise<Added> {
  const added = await add(git, own, [...words, ':/', ...ownOutput.map((path) => `:(top,exclude,literal)${path}`)]);
  if (!added.isAdded || (isClean && !OURS_AMONG.test(added.changes))) return added;
  return await withoutOurFiles(git, own, added, ownOutput);
}

/** Matches everything that `OUR_FILES` may match, and a little more. */
const OURS_AMONG = /\.ralph|logs/;

async function withoutOurFiles(git: Git, own: Variables, added: Added, ownOutput: readonly string[]): Promise<Added> {
  const found = await putBackOurFiles(git, own, [...PATHSPECS, ...ownOutput.map((path) => `:(top,literal)${path}`)]);
  return { ...added, wasClean: found === 'none', ...(typeof found === 'object' && { isAdded: false, problem: found.refused }) };
}

/** Objects that are dropped soon are not compressed. */
async function add(git: Git, own: Variables, words: readonly string[]): Promise<Added> {
  const unpacked = isThrownAway(own) ? ['-c', 'core.looseCompression=0', '-c', 'pack.compression=0'] : [];
  const { code, stdout: changes, stderr: said } = await git([...unpacked, 'add', '--all', '--ignore-errors', '--verbose', ...words], own);
  // With exit code 1 git has added all files except those it complains about: unreadable ones, and nested repositories without a commit.
  const isAdded = code === 0 || code === 1;
  return { isAdded, problem: code === 0 ? null : firstComplaint({ stderr: said }), said, changes, wasClean: true };
}

const isThrownAway = (own: Variables) => 'GIT_OBJECT_DIRECTORY' in own;

interface WithTree<T> extends NamedTree {
  readonly more: T | null;
}

type Ask<T> = (named: { readonly tree: string; readonly said: string }, own: Variables) => Promise<T>;

/** Names the working copy as if for the first time, and asks more about it while its objects exist. */
export async function withTree<T>(git: Git, scratch: GitScratch, ask: Ask<T>): Promise<WithTree<T>> {
  scratch.forget();
  return await inScratch(scratch, async (own) => {
    const named = await nameTree(git, own, scratch);
    scratch.learn(named.tree);
    return { ...named, more: named.tree === null ? null : await ask({ tree: named.tree, said: named.said }, own) };
  });
}

/** Names the working copy. If nothing has changed since the last time, or since the last commit, this takes one git command. */
export async function treeOfWorkingCopy(place: LookPlace): Promise<NamedTree> {
  const { git, scratch } = place;
  const again = await inScratch(scratch, async (own) => {
    if (scratch.known === null) scratch.learn(await committedTree(place, own));
    return await nameAgain(git, scratch, own);
  });
  return again.tree === null ? await withTree(git, scratch, async () => null) : again;
}

/** The tree of HEAD, if the index has exactly that: then Ralph's own files are in it as in HEAD. */
async function committedTree(place: LookPlace, own: Variables): Promise<string | null> {
  const head = await headIn(place);
  const indexed = head === null ? null : await treeInIndex(own['GIT_INDEX_FILE'] ?? '', head.length === 64 ? 32 : 20);
  return head !== null && indexed !== null && indexed === (await knownTreeOf(place, head)) ? indexed : null;
}

const UNNAMED = { tree: null, problem: null, said: '', more: null };
const IGNORES = /\.gitignore'/;

/** Names it by the changes since the last time. Returns no tree if a .gitignore has changed: the index may still have a file that is ignored now. */
async function nameAgain(git: Git, scratch: GitScratch, own: Variables): Promise<WithTree<null>> {
  const { known } = scratch;
  if (known === null) return UNNAMED;
  const { isAdded, changes, problem, said } = await addAll(git, own, { isClean: true, ownOutput: scratch.ownOutput });
  if (isAdded && changes === '') return { tree: known, problem, said, more: null };
  const named = isAdded && !IGNORES.test(changes) ? await write(git, own, { problem, said }) : UNNAMED;
  scratch.learn(named.tree);
  return { ...named, more: null };
}

async function inScratch<T>(scratch: GitScratch, work: (own: Variables) => Promise<WithTree<T>>): Promise<WithTree<T>> {
  try {
    return await work(await scratch.ready());
  } catch (error) {
    return { ...UNNAMED, problem: (error as Error).message };
  } finally {
    await scratch.empty();
  }
}

/** If git cannot read the repository there is no tree, so nothing can be committed. */
export async function look(place: LookPlace): Promise<TreeLook> {
  const sight = await lookClosely(place);
  return { ...sight, problem: sight.tree === null ? sight.problem : null };
}

export type LookPlace = Pick<HistoryPlace, 'git' | 'gitDir' | 'commonDir' | 'known' | 'scratch'>;

/** Also reports git's complaints about files that are not in the tree. */
async function lookClosely(place: LookPlace): Promise<TreeLook> {
  const { git, scratch, known } = place;
  try {
    const head = await headIn(place);
    const headTree = head === null ? null : await knownTreeOf(place, head);
    const own = await scratch.keeping();
    const index = `${head} ${scratch.keptFrom}`;
    const { tree, problem, wasClean } = await nameTree(git, own, { isClean: known.cleanIndex === index, ownOutput: scratch.ownOutput });
    known.cleanIndex = tree !== null && wasClean ? index : '';
    if (tree !== null) await scratch.adopt(tree);
    return { head, headTree, tree, problem };
  } catch (error) {
    return { head: null, headTree: null, tree: null, problem: (error as Error).message };
  }
}

export async function snapshot(place: LookPlace, isKept = false): Promise<Snapshot> {
  const { git, scratch } = place;
  if (isKept) {
    const { head, tree, problem } = await lookClosely(place);
    return { head, tree, dirty: tree === null ? [] : await differingPaths(git, { from: head, to: tree, own: {} }), problem };
  }
  const head = await headIn(place).catch(() => null);
  const { tree, problem, more } = await withTree(git, scratch, (named, own) => differingPaths(git, { from: head, to: named.tree, own }));
  return { head, tree, dirty: more ?? [], problem };
}

interface Compared {
  /** A commit or a tree; null for the empty tree. */
  readonly from: string | null;
  readonly to: string;
  readonly own: Variables;
}

/** Compares two trees, without looking at files. */
export async function differingPaths(git: Git, { from, to, own }: Compared): Promise<string[]> {
  const names = ['-r', '-z', '--name-only'];
  const { stdout } = await git(from === null ? ['ls-tree', '--full-tree', ...names, to] : ['diff-tree', '--no-renames', ...names, from, to], own);
  return stdout.split('\0').filter(Boolean);
}

/** Reverts Ralph's own files in that index to HEAD, or removes them: they do not count as work, even if somebody forced them into an index or a commit. */
async function putBackOurFiles(git: Git, own: Variables, ours: readonly string[]): Promise<'none' | 'put back' | { readonly refused: string }> {
  const found = await git(['diff', '--cached', '--quiet', '--no-renames', '--no-ext-diff', '--', ...ours], own);
  if (found.code === 0) return 'none';
  const answer = found.code === 1 ? await git(['reset', '--quiet', '--', ...ours], own) : found;
  return answer.code === 0 ? 'put back' : { refused: firstComplaint(answer) };
}

const PATHSPECS = OUR_FILES.map(pathspecOf);

/** A .gitignore pattern excludes a whole folder by its name, and without a slash it applies to every folder. A pathspec has to say both explicitly. */
function pathspecOf(pattern: string): string {
  const [magic, path] = pattern.startsWith('!') ? ['top,glob,exclude', pattern.slice(1)] : ['top,glob', pattern];
  return `:(${magic})${path.includes('/') ? '' : '**/'}${path.replace(/\/\*$/, '/**')}`;
}
