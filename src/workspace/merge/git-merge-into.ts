import { join } from 'node:path';
import { isThere } from '../../kit/files/read.ts';
import { firstComplaint } from '../git/git-command.ts';
import { OUR_NAME } from '../git/git-place.ts';
import { restoreFrom } from '../tasks/git-task-restore.ts';
import type { TaskWorktree } from '../tasks/git-task-worktree.ts';
import { GitTrouble, must } from '../tasks/locks.ts';

/** Drivers, attributes and what rerere has learned are the user's; hooks, editors and signatures stay out of it. */
export const MERGE = [
  ...['-c', 'rerere.autoUpdate=true', 'merge', '--quiet', '--no-ff', '--no-stat'],
  ...['--no-verify', '--no-verify-signatures', '--no-autostash', '--no-log', '--no-edit'],
];

interface MergeWish {
  readonly onto: string;
  readonly head: string;
  readonly pathspecs: readonly string[];
}

/** In the index and the files of a worktree that is on `onto`. What the pathspecs name stays as it is there. Returns the paths with conflicts. */
export async function mergeInto(worktree: TaskWorktree, wish: MergeWish): Promise<readonly string[]> {
  const { onto, pathspecs } = wish;
  if (await mergeCleanly(worktree, wish.head)) {
    if (pathspecs.length > 0 && (await hasTouched(worktree, onto, pathspecs))) await restoreFrom(worktree, onto, pathspecs);
    return [];
  }
  if (pathspecs.length === 0) return await unmergedPaths(worktree);
  // Some of the conflicts may be in what the pathspecs name, under whatever name git has given it.
  const head = await withoutTouching(worktree, wish);
  must(await worktree.git(['reset', '--quiet', '--hard', onto], {}), 'the scratch worktree cannot be made clean');
  return (await mergeCleanly(worktree, head)) ? [] : await unmergedPaths(worktree);
}

/** False: there are conflicts. */
async function mergeCleanly(worktree: TaskWorktree, head: string): Promise<boolean> {
  const merged = await worktree.git([...MERGE, '--no-commit', head], {});
  if (merged.code !== 0 && !(await isUnderWay(worktree))) throw new GitTrouble(`git cannot merge: ${firstComplaint(merged)}`);
  return merged.code === 0;
}

/** The same head, but with what the pathspecs name as it is in `onto`. No ref names it, and it is in no history. */
async function withoutTouching({ git, admin }: TaskWorktree, { onto, head, pathspecs }: MergeWish): Promise<string> {
  const own = { GIT_INDEX_FILE: join(admin, 'ralph-neutral-index') };
  must(await git(['read-tree', head], own), 'the branch cannot be read');
  must(await git(['reset', '--quiet', onto, '--', ...pathspecs], own), 'the branch cannot be read');
  const tree = must(await git(['write-tree'], own), 'the branch cannot be read');
  return must(await git(['commit-tree', tree, '-p', head, '-m', 'Without what only the loop writes'], OUR_NAME), 'the branch cannot be read');
}

/** False after a merge that had nothing to do. */
export const isUnderWay = ({ admin }: Pick<TaskWorktree, 'admin'>) => isThere(join(admin, 'MERGE_HEAD'));

async function hasTouched({ git }: TaskWorktree, onto: string, pathspecs: readonly string[]): Promise<boolean> {
  const compared = await git(['diff-index', '--cached', '--quiet', '--no-ext-diff', onto, '--', ...pathspecs]);
  if (compared.code !== 1) must(compared, 'the merged files cannot be compared');
  return compared.code === 1;
}

export async function unmergedPaths({ git }: TaskWorktree): Promise<readonly string[]> {
  const listed = must(await git(['ls-files', '--unmerged', '-z']), 'the conflicts cannot be read');
  const paths = listed.split('\0').filter(Boolean);
  return [...new Set(paths.map((line) => line.slice(line.indexOf('\t') + 1)))];
}
