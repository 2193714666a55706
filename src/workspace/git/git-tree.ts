import type { Snapshot, TreeLook } from '../../engine/ports/git.ts';
import { OUR_FILES } from '../git-exclude.ts';
import { firstComplaint, type Git, type Variables } from './git-command.ts';
import { type HistoryPlace, headIn, knownTreeOf } from './git-place.ts';
import type { GitScratch } from './git-scratch.ts';

/** The working copy, named by its tree. */
interface NamedTree {
  readonly tree: string | null;
  /** One line of git's about what is missing in it, or why there is none. */
  readonly problem: string | null;
  /** All that git said while it read the files. */
  readonly said: string;
}

interface Naming {
  /** More ones for `git add`. */
  readonly words?: readonly string[];
  /** True where the index is known to have our own files as HEAD has them: they are then looked for among the changes alone. */
  readonly isClean?: boolean;
}

/** Names the working copy, and leaves it in the index of the variables. */
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
  /** The changes it made to the index, in git's words. */
  readonly changes: string;
  /** Whether the index had our own files as HEAD has them. */
  readonly wasClean: boolean;
}

/** Puts the working copy, but for our own files, into the index of the variables. */
export async function addAll(git: Git, own: Variables, { words = [], isClean = false }: Naming = {}): Promise<Added> {
  const added = await add(git, own, words);
  return added.isAdded && !(isClean && !OURS_AMONG.test(added.changes)) ? await withoutOurFiles(git, own, added) : added;
}

/** All that `OUR_FILES` may mean, and some more. */
const OURS_AMONG = /\.ralph|logs/;

async function withoutOurFiles(git: Git, own: Variables, added: Added): Promise<Added> {
  const found = await putBackOurFiles(git, own);
  return { ...added, wasClean: found === 'none', ...(typeof found === 'object' && { isAdded: false, problem: found.refused }) };
}

/** What is thrown away is not packed small before. */
async function add(git: Git, own: Variables, words: readonly string[]): Promise<Added> {
  const unpacked = isThrownAway(own) ? ['-c', 'core.looseCompression=0', '-c', 'pack.compression=0'] : [];
  const { code, stdout: changes, stderr: said } = await git([...unpacked, 'add', '--all', '--ignore-errors', '--verbose', ...words, ':/'], own);
  // With 1 it has added all but the files it complains of: unreadable ones, and nested repositories without a commit.
  const isAdded = code === 0 || code === 1;
  return { isAdded, problem: code === 0 ? null : firstComplaint({ stderr: said }), said, changes, wasClean: true };
}

const isThrownAway = (own: Variables) => 'GIT_OBJECT_DIRECTORY' in own;

interface WithTree<T> extends NamedTree {
  readonly more: T | null;
}

type Ask<T> = (named: { readonly tree: string; readonly said: string }, own: Variables) => Promise<T>;

/** Names the working copy as if for the first time, and asks more about it while its objects are there. */
export async function withTree<T>(git: Git, scratch: GitScratch, ask: Ask<T>): Promise<WithTree<T>> {
  scratch.forget();
  return await inScratch(scratch, async (own) => {
    const named = await nameTree(git, own);
    scratch.learn(named.tree);
    return { ...named, more: named.tree === null ? null : await ask({ tree: named.tree, said: named.said }, own) };
  });
}

/** Only names it. Where nothing has changed since it was last named one question to git tells that. */
export async function treeOfWorkingCopy(git: Git, scratch: GitScratch): Promise<NamedTree> {
  const again = await inScratch(scratch, (own) => nameAgain(git, scratch, own));
  return again.tree === null ? await withTree(git, scratch, async () => null) : again;
}

const UNNAMED = { tree: null, problem: null, said: '', more: null };
const IGNORES = /\.gitignore'/;

/** By what has changed since it was named; without a tree where that does not tell: a file that was named and is ignored now is in the index still. */
async function nameAgain(git: Git, scratch: GitScratch, own: Variables): Promise<WithTree<null>> {
  const { known } = scratch;
  if (known === null) return UNNAMED;
  const { isAdded, changes, problem, said } = await addAll(git, own, { isClean: true });
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

/** Where git cannot read the repository there is no tree, and so nothing that could be committed. */
export async function look(place: LookPlace): Promise<TreeLook> {
  const sight = await lookClosely(place);
  return { ...sight, problem: sight.tree === null ? sight.problem : null };
}

type LookPlace = Pick<HistoryPlace, 'git' | 'gitDir' | 'commonDir' | 'known' | 'scratch'>;

/** With what git says of files that are not in the tree, too. */
async function lookClosely(place: LookPlace): Promise<TreeLook> {
  const { git, scratch, known } = place;
  try {
    const head = await headIn(place);
    const headTree = head === null ? null : await knownTreeOf(place, head);
    const own = await scratch.keeping();
    const index = `${head} ${scratch.keptFrom}`;
    const { tree, problem, wasClean } = await nameTree(git, own, { isClean: known.cleanIndex === index });
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

/** Makes our own files in that index what HEAD has of them, be it nothing: whoever forced them into an index or a commit makes no work of them. */
async function putBackOurFiles(git: Git, own: Variables): Promise<'none' | 'put back' | { readonly refused: string }> {
  const found = await git(['diff', '--cached', '--quiet', '--no-renames', '--no-ext-diff', '--', ...PATHSPECS], own);
  if (found.code === 0) return 'none';
  const answer = found.code === 1 ? await git(['reset', '--quiet', '--', ...PATHSPECS], own) : found;
  return answer.code === 0 ? 'put back' : { refused: firstComplaint(answer) };
}

const PATHSPECS = OUR_FILES.map(pathspecOf);

/** A .gitignore leaves out a whole folder by its name, and without a slash means every folder; a pathspec has to say so. */
function pathspecOf(pattern: string): string {
  const [magic, path] = pattern.startsWith('!') ? ['top,glob,exclude', pattern.slice(1)] : ['top,glob', pattern];
  return `:(${magic})${path.includes('/') ? '' : '**/'}${path.replace(/\/\*$/, '/**')}`;
}
