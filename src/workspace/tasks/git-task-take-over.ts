import { join } from 'node:path';
import { closeTask } from './git-task-close.ts';
import { folderOf, type TaskGround } from './git-task-place.ts';
import { settleTask } from './git-task-settle.ts';
import { orTrouble } from './git-task-trouble.ts';
import { findWorktree, hasFolder, isReady } from './git-task-worktree.ts';

interface Earlier {
  /** The branch of a holder that is no more. */
  readonly branch: string;
  readonly base: string;
  readonly pathspecs: readonly string[];
}

/** What a killed holder has left in its worktree goes on its branch, and the worktree goes. What cannot be committed is kept; what cannot be kept stays where it is. */
export async function takeOver(ground: TaskGround, { branch, base, pathspecs }: Earlier): Promise<void> {
  const path = join(await ground.root(), folderOf(branch));
  const found = await findWorktree(ground, path);
  if (found === null) return;
  const message = `What was left on ${branch}\n\nRalph-Run: ${ground.run}\n`;
  if ((await hasFolder(found)) && (await isReady(found))) await orTrouble(() => settleTask(ground, path, { message, base, pathspecs }));
  const keepAs = `refs/ralph/kept/${ground.run}/${folderOf(branch)}-left`;
  await orTrouble(() => closeTask(ground, { path, branch, isMerged: false, keepAs }, null));
}
