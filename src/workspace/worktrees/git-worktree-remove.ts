import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { oneLine } from '../../kit/pure/one-line.ts';
import { firstComplaint, type Git } from '../git/git-command.ts';
import { untilUnlocked } from '../git/git-until-unlocked.ts';
import { type ListedWorktree, listedWorktrees } from './git-worktree-list.ts';
import { refusedWorktree } from './git-worktree-refusal.ts';

export interface RemoveWish {
  /** Also when something in it is not committed, or it is locked. */
  readonly force: boolean;
  /** `if-merged`: only when HEAD of where one stands has all of it. */
  readonly branch: 'keep' | 'if-merged' | 'delete';
}

export interface Removed {
  readonly path: string;
  /** The branch it was on; null when there was none. */
  readonly branch: string | null;
  readonly isBranchDeleted: boolean;
}

interface Which {
  readonly path: string;
  /** Where one stands. */
  readonly topLevel: string;
}

export async function removeWorktree(git: Git, which: Which, { force, branch }: RemoveWish): Promise<Removed> {
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

/** What another worktree is on is never deleted. */
async function deleteBranch(git: Git, name: string | null, wish: RemoveWish['branch']): Promise<boolean> {
  if (name === null || wish === 'keep') return false;
  const { code } = await untilUnlocked(() => git(['branch', wish === 'delete' ? '-D' : '-d', '--', name]));
  return code === 0;
}
