import { join } from 'node:path';
import type { OpenedBranch } from '../../engine/ports/task-branches.ts';
import { closeTask, removeTaskWorktree } from './close.ts';
import type { TaskBase } from './git-task-base.ts';
import { joinBase } from './git-task-bring.ts';
import { furnishWorktree } from './git-task-furnish.ts';
import { folderOf, type TaskGit } from './git-task-place.ts';
import { commitsOf, headRef } from './git-task-refs.ts';
import { settleTask } from './git-task-settle.ts';
import { addBranchWorktree, findWorktree, hasFolder, isReady, restoreFolder, setReady } from './git-task-worktree.ts';
import { orTrouble, stopIfAborted } from './locks.ts';

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
  const opened = async () => ({ kind: 'opened', path, cwd: await ground.cwdIn(path), base }) as const;
  const found = await findWorktree(ground, path);
  if (found !== null && (await isReady(found))) {
    if (await restoreFolder(found)) await furnishWorktree(ground, found, signal);
    return await opened();
  }
  await removeTaskWorktree(ground, path);
  stopIfAborted(signal);
  const tip = await tipBefore(ground, request, base);
  const made = await addBranchWorktree(ground, path, { branch, start: tip ?? base });
  if (tip !== null) await joinBase(ground, made, base);
  await furnishWorktree(ground, made, signal);
  await setReady(made);
  return await opened();
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
