import { join } from 'node:path';
import type { OpenedBranch } from '../../engine/ports/task-branches.ts';
import { pathExists } from '../../kit/files/read.ts';
import { firstComplaint } from '../git/git-command.ts';
import type { OperatorCommits } from '../merge/git-merge.ts';
import { closeTask, removeTaskWorktree } from './close.ts';
import { commitsOf, headRef, type TaskBase } from './git-task-base.ts';
import { folderOf, type TaskGit } from './git-task-place.ts';
import { settleTask, standing } from './git-task-settle.ts';
import { addBranchWorktree, findWorktree, furnishWorktree, hasFolder, isReady, restoreFolder, setReady, type TaskWorktree } from './git-task-worktree.ts';
import { GitTrouble, must, orTrouble, stopIfAborted } from './locks.ts';

interface OpenWish {
  readonly branch: string;
  readonly from: string | null;
  readonly pathspecs: readonly string[];
}

/** A worktree that was once ready is used again as it is. Any other is made again, because no agent has worked in it. An existing branch stays as it is. */
export async function openTask(ground: TaskGit, taskBase: TaskBase, request: OpenWish, signal: AbortSignal): Promise<OpenedBranch> {
  const { branch } = request;
  const path = join(await ground.root(), folderOf(branch));
  const { base } = await taskBase.look();
  const opened = async (head: string) => ({ kind: 'opened', path, cwd: await ground.cwdIn(path), base, head }) as const;
  const found = await findWorktree(ground, path);
  if (found !== null && (await isReady(found))) {
    if (await restoreFolder(found)) await furnishWorktree(ground, found, signal);
    return await opened(await headOf(found, base));
  }
  await removeTaskWorktree(ground, path);
  stopIfAborted(signal);
  const tip = await tipBefore(ground, request, base);
  const made = await addBranchWorktree(ground, path, { branch, start: tip ?? base });
  if (tip !== null) await joinBase(ground, made, base);
  await furnishWorktree(ground, made, signal);
  await setReady(made);
  return await opened(tip === null ? base : await headOf(made, base));
}

/** An agent may have left its worktree without any commit. */
async function headOf({ git }: TaskWorktree, base: string): Promise<string> {
  const named = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  return named.code === 0 ? named.stdout.trim() : base;
}

/** The last commit of an earlier holder; null if there is none. */
async function tipBefore(ground: TaskGit, { from, pathspecs }: OpenWish, base: string): Promise<string | null> {
  if (from === null) return null;
  await takeOver(ground, { branch: from, base, pathspecs });
  const [tip = null] = await commitsOf(ground, [headRef(from)]);
  return tip;
}

interface Earlier {
  /** The branch of a holder that has ended. */
  readonly branch: string;
  readonly base: string;
  readonly pathspecs: readonly string[];
}

/**
 * Commits what a killed holder left in its worktree to its branch, and removes the worktree. What cannot be committed is kept under a ref; what cannot be
 * kept stays where it is.
 */
async function takeOver(ground: TaskGit, { branch, base, pathspecs }: Earlier): Promise<void> {
  const path = join(await ground.root(), folderOf(branch));
  const found = await findWorktree(ground, path);
  if (found === null) return;
  const message = `What was left on ${branch}\n\nRalph-Run: ${ground.run}\n`;
  if ((await hasFolder(found)) && (await isReady(found))) await orTrouble(() => settleTask(ground, path, { message, base, pathspecs }));
  const keepAs = `refs/ralph/kept/${ground.run}/${folderOf(branch)}-left`;
  await orTrouble(() => closeTask(ground, { path, branch, isMerged: false, keepAs }, null));
}

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
async function joinBase(ground: TaskGit, worktree: TaskWorktree, base: string): Promise<void> {
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
