import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathExists } from '../../kit/files/read.ts';
import { headRef } from './git-task-refs.ts';
import type { TaskWorktree } from './git-task-worktree.ts';
import { must } from './locks.ts';

/**
 * Moves the branch to HEAD, wherever an agent has moved it, and puts HEAD on the branch. The reflog of HEAD, which `lostCommits` reads, still has the old
 * position.
 */
export async function putHeadOnBranch(worktree: TaskWorktree, branch: string, base: string): Promise<void> {
  const { git, admin } = worktree;
  const commit = (await commitOf(worktree, 'HEAD')) ?? (await lastCommit(worktree)) ?? base;
  must(await git(['update-ref', '-m', 'ralph: where HEAD is', headRef(branch), commit]), `${branch} cannot be moved`);
  must(await git(['symbolic-ref', '-m', 'ralph: back on its branch', 'HEAD', headRef(branch)]), `HEAD cannot be put on ${branch}`);
  for (const state of ['rebase-merge', 'rebase-apply']) if (await pathExists(join(admin, state))) await git(['rebase', '--quit'], {});
}

/** The last commit of HEAD that exists. */
async function lastCommit(worktree: TaskWorktree): Promise<string | null> {
  const last = (await moves(worktree)).at(-1);
  return last === undefined ? null : await commitOf(worktree, last.to);
}

async function commitOf({ git }: TaskWorktree, name: string): Promise<string | null> {
  const found = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
  return found.code === 0 ? found.stdout.trim() : null;
}

interface Move {
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

async function moves({ admin }: TaskWorktree): Promise<readonly Move[]> {
  const log = await readFile(join(admin, 'logs', 'HEAD'), 'utf8').catch(() => '');
  const lines = log.split('\n').filter(Boolean);
  return lines.map((line) => ({ from: line.split(' ')[0] ?? '', to: line.split(' ')[1] ?? '', why: line.split('\t')[1] ?? '' }));
}

/** After these moves the new commit contains the old one. */
const GOES_ON = /^commit(?: \(merge\))?:/;

/** Earlier positions of HEAD that are in neither these commits nor the base: dropped by a reset, a rebase or an amended commit, or left without a branch. */
export async function lostCommits(worktree: TaskWorktree, kept: readonly string[]): Promise<readonly string[]> {
  const left = (await moves(worktree)).filter(({ from, to, why }) => from !== to && !/^0+$/.test(from) && !GOES_ON.test(why)).map(({ from }) => from);
  const candidates = [...new Set(left)].filter((commit) => !kept.includes(commit));
  if (candidates.length === 0) return [];
  const { stdout } = await worktree.git(['rev-list', '--ignore-missing', ...candidates, '--not', ...kept, '--']);
  const unreached = new Set(stdout.split('\n'));
  return candidates.filter((commit) => unreached.has(commit));
}
