import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pathExists } from '../../kit/files/read.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { oneLine } from '../../kit/pure/text.ts';
import type { Captured } from '../../process/capture.ts';
import { firstComplaint, type Git, headOf, untilUnlocked } from '../git/git-command.ts';
import { type ListedWorktree, listedWorktrees } from './git-worktree-list.ts';

/** The worktrees of one repository, from any folder in it. A failure is an OperatorError with exit code 4. */
export interface GitWorktrees {
  /** The folder for new ones: beside the main worktree, never in it, where searchers and test runners would find every file twice. */
  root(): Promise<string>;
  add(request: AddRequest): Promise<AddedWorktree>;
  list(): Promise<readonly SeenWorktree[]>;
  remove(path: string, request: RemoveRequest): Promise<Removed>;
  /** Makes git forget those whose folders are gone. */
  prune(): Promise<void>;
}

export interface AddRequest {
  /** An absolute path at which nothing exists. */
  readonly path: string;
  /** The name of a new branch. */
  readonly branch: string;
  /** Anything that names a commit; by default the current HEAD. */
  readonly base?: string;
}

export interface AddedWorktree {
  readonly path: string;
  readonly branch: string;
  /** The commit it starts from. */
  readonly head: string;
  /** Their folders are empty: fetching them (`git submodule update --init`) is the operator's decision. */
  readonly submodules: readonly string[];
}

export interface SeenWorktree extends ListedWorktree {
  /** The repository's main worktree. */
  readonly isMain: boolean;
  /** Null if there is no work tree to look at. */
  readonly isDirty: boolean | null;
}

export function openWorktrees(git: Git, topLevel: string): GitWorktrees {
  return {
    root: () => rootOf(git),
    add: (request) => add(git, request),
    list: () => list(git),
    remove: (path, wish) => removeWorktree(git, { path, topLevel }, wish),
    prune: async () => void (await git(['worktree', 'prune'])),
  };
}

async function rootOf(git: Git): Promise<string> {
  const main = (await listedWorktrees(git))[0]?.path ?? '';
  return join(dirname(main), `${basename(main).replace(/\.git$/, '')}.ralph`);
}

/** Without hooks, with filters. The new branch tracks none. */
async function add(git: Git, { path, branch, base = 'HEAD' }: AddRequest): Promise<AddedWorktree> {
  const head = await commitOf(git, base);
  if (await pathExists(path)) throw refusedWorktree('worktree-exists', `${path} is there already`, 'Choose another path, or remove what is there.');
  await refuseBadBranch(git, branch);
  const words = ['-c', 'submodule.recurse=false', 'worktree', 'add', '--quiet', '--no-track', '-b', branch, path, head];
  const added = await untilUnlocked(
    () => git(words, {}),
    () => withoutBranch(git, branch, head),
  );
  if (added.code !== 0) throw await whyNotAdded(git, { path, branch, head }, added);
  return { path, branch, head, submodules: await submodulesIn(git, path) };
}

/** Git makes the branch first, and leaves it if the rest fails. The branch did not exist before. */
async function withoutBranch(git: Git, branch: string, head: string): Promise<void> {
  await git(['update-ref', '-d', `refs/heads/${branch}`, head]);
}

async function whyNotAdded(git: Git, { path, branch, head }: Omit<AddedWorktree, 'submodules'>, answer: Captured): Promise<OperatorError> {
  const message = `git cannot make the worktree ${path}: ${oneLine(firstComplaint(answer))}`;
  if (/already exists/.test(answer.stderr)) return refusedWorktree('worktree-exists', message, 'Choose another name.');
  await withoutBranch(git, branch, head);
  return refusedWorktree('worktree-failed', message, 'See whether the folder can be written, and what `git worktree list` tells.');
}

async function commitOf(git: Git, base: string): Promise<string> {
  const found = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${base}^{commit}`]);
  if (found.code === 0) return found.stdout.trim();
  if ((await headOf(git).catch(() => '')) === null)
    throw refusedWorktree('no-commit', 'this repository has no commit yet, and a worktree starts from one', 'Make a first commit.');
  throw refusedWorktree('no-such-commit', `${oneLine(base)} names no commit`, 'Name a branch, a tag or a commit of this repository.');
}

async function refuseBadBranch(git: Git, branch: string): Promise<void> {
  if ((await git(['check-ref-format', '--branch', branch])).code !== 0)
    throw refusedWorktree('bad-branch', `${oneLine(branch)} is no name for a branch`, 'See `git help check-ref-format`.');
  if ((await git(['show-ref', '--verify', '--quiet', `refs/heads/${branch}`])).code === 0)
    throw refusedWorktree('worktree-exists', `the branch ${branch} exists already`, 'Choose another name, or delete it with `git branch -D`.');
}

async function submodulesIn(git: Git, path: string): Promise<readonly string[]> {
  const { stdout } = await git(['-C', path, 'config', '--file', '.gitmodules', '-z', '--get-regexp', '^submodule\\..*\\.path$']);
  return stdout
    .split('\0')
    .filter(Boolean)
    .map((entry) => entry.slice(entry.indexOf('\n') + 1));
}

async function list(git: Git): Promise<readonly SeenWorktree[]> {
  const listed = await listedWorktrees(git);
  return await Promise.all(
    listed.map(async (worktree, index) => {
      const isDirty = worktree.isPrunable || worktree.isBare ? null : await dirtiness(git, worktree.path);
      return { ...worktree, isMain: index === 0, isDirty };
    }),
  );
}

async function dirtiness(git: Git, path: string): Promise<boolean | null> {
  const { code, stdout } = await git(['-C', path, '--no-optional-locks', 'status', '--porcelain', '--untracked-files=normal']);
  return code === 0 ? stdout !== '' : null;
}

export interface RemoveRequest {
  /** Removes it even if it has uncommitted changes or is locked. */
  readonly force: boolean;
  /** `if-merged`: only if the current HEAD contains all of it. */
  readonly branch: 'keep' | 'if-merged' | 'delete';
}

export interface Removed {
  readonly path: string;
  /** The branch it was on; null if there was none. */
  readonly branch: string | null;
  readonly isBranchDeleted: boolean;
}

interface Which {
  readonly path: string;
  /** The top of the current worktree. */
  readonly topLevel: string;
}

async function removeWorktree(git: Git, which: Which, { force, branch }: RemoveRequest): Promise<Removed> {
  const found = await findWorktree(git, which);
  if (!force) await refuseToLose(git, found);
  const removed = await untilUnlocked(() => git(['worktree', 'remove', ...(force ? ['--force', '--force'] : []), found.path], {}));
  if (removed.code !== 0)
    throw refusedWorktree('worktree-failed', `git cannot remove ${found.path}: ${oneLine(firstComplaint(removed))}`, 'Add --force if nothing in it is needed.');
  return { path: found.path, branch: found.branch, isBranchDeleted: await deleteBranch(git, found.branch, branch) };
}

async function findWorktree(git: Git, { path, topLevel }: Which): Promise<ListedWorktree> {
  const wanted = await realpath(path).catch(() => resolve(path));
  const [main, ...others] = await listedWorktrees(git);
  if (main?.path === wanted) throw refusedWorktree('worktree-main', `${wanted} is the repository itself`, 'Only worktrees beside it can be removed.');
  const found = others.find((worktree) => worktree.path === wanted);
  if (!found) throw refusedWorktree('no-such-worktree', `${oneLine(wanted)} is no worktree of this repository`, 'See `ralph worktree list`.');
  if (found.path === topLevel) throw refusedWorktree('worktree-main', `${wanted} is where you are`, 'Go elsewhere in the repository first.');
  return found;
}

async function refuseToLose(git: Git, { path, lockedFor, isPrunable }: ListedWorktree): Promise<void> {
  const force = 'Add --force if nothing in it is needed.';
  if (lockedFor !== null) throw refusedWorktree('worktree-locked', `${path} is locked${lockedFor && `: ${oneLine(lockedFor)}`}`, force);
  if (isPrunable) return;
  const { stdout } = await git(['-C', path, '--no-optional-locks', 'status', '--porcelain', '-z', '--no-renames', '--untracked-files=normal']);
  const changes = stdout.split('\0').filter(Boolean);
  if (changes.length === 0) return;
  const named = oneLine(
    changes
      .slice(0, 3)
      .map((change) => change.slice(3))
      .join(', '),
  );
  const more = changes.length > 3 ? ` and ${changes.length - 3} more` : '';
  throw refusedWorktree('worktree-dirty', `${path} has changes that are not committed: ${named}${more}`, force);
}

/** Never deletes a branch that another worktree is on. */
async function deleteBranch(git: Git, name: string | null, request: RemoveRequest['branch']): Promise<boolean> {
  if (name === null || request === 'keep') return false;
  const { code } = await untilUnlocked(() => git(['branch', request === 'delete' ? '-D' : '-d', '--', name]));
  return code === 0;
}

export type WorktreeRefusal =
  | 'worktree-exists'
  | 'worktree-failed'
  | 'no-commit'
  | 'no-such-commit'
  | 'bad-branch'
  | 'no-such-worktree'
  | 'worktree-main'
  | 'worktree-dirty'
  | 'worktree-locked';

function refusedWorktree(code: WorktreeRefusal, message: string, hint: string): OperatorError {
  return new OperatorError(code, message, { hint, exitCode: 4 });
}
