import { join } from 'node:path';
import { pathExists } from '../../kit/files/read.ts';
import { firstComplaint } from '../git/git-command.ts';
import type { OperatorCommits } from '../merge/git-merge-operator.ts';
import type { TaskBase } from './git-task-base.ts';
import type { TaskGit } from './git-task-place.ts';
import { standing } from './git-task-settle.ts';
import type { TaskWorktree } from './git-task-worktree.ts';
import { GitTrouble, must } from './locks.ts';

/** Merge drivers, attributes and rerere are the operator's; hooks, editors and signatures do not run. */
const MERGE = [
  ...['-c', 'rerere.autoUpdate=true', 'merge', '--quiet', '--no-ff', '--no-stat'],
  ...['--no-verify', '--no-verify-signatures', '--no-autostash', '--no-log', '--no-edit'],
];

interface Brought {
  readonly kind: 'brought';
  readonly base: string;
  readonly conflicts: readonly string[];
}

/** Merges the commit that the failed merge used. If a merge is already under way, as after a crash, this reports it. */
export async function bringBaseTo(ground: TaskGit, path: string, from: { taskBase: TaskBase; operator: OperatorCommits }): Promise<Brought> {
  const bases = await from.taskBase.look();
  const base = from.operator.known(bases) ?? bases.base;
  const worktree = await standing(ground, path, base);
  const message = `Merge ${ground.base} to resolve conflicts\n\nRalph-Run: ${ground.run}\n`;
  const merged = await worktree.git([...MERGE, '--message', message, base], {});
  if (merged.code !== 0 && !(await isUnderWay(worktree))) throw new GitTrouble(`the base cannot be merged: ${firstComplaint(merged)}`);
  const conflicts = merged.code === 0 ? [] : await unmergedPaths(worktree);
  return { kind: 'brought', base, conflicts };
}

/** Work that started before the base moved gets what others have done since. If that conflicts, the branch stays as it was. */
export async function joinBase(ground: TaskGit, worktree: TaskWorktree, base: string): Promise<void> {
  const message = `Merge ${ground.base} to go on with it\n\nRalph-Run: ${ground.run}\n`;
  const merged = await worktree.git([...MERGE, '--message', message, base], {});
  if (merged.code !== 0) must(await worktree.git(['reset', '--quiet', '--hard'], {}), `${worktree.path} cannot be made clean`);
}

/** False after a merge that had nothing to do. */
export const isUnderWay = ({ admin }: Pick<TaskWorktree, 'admin'>) => pathExists(join(admin, 'MERGE_HEAD'));

async function unmergedPaths({ git }: TaskWorktree): Promise<readonly string[]> {
  const listed = must(await git(['ls-files', '--unmerged', '-z']), 'the conflicts cannot be read');
  const paths = listed.split('\0').filter(Boolean);
  return [...new Set(paths.map((line) => line.slice(line.indexOf('\t') + 1)))];
}
