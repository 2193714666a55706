import type { TaskGit } from './git-task-place.ts';
import type { TaskWorktree } from './git-task-worktree.ts';
import { GitTrouble } from './locks.ts';

/** A worktree whose setup failed is not ready, and is made again the next time. */
export async function furnishWorktree(ground: TaskGit, { path }: TaskWorktree, signal: AbortSignal): Promise<void> {
  const problem = await ground.furnish({ path, cwd: await ground.cwdIn(path) }, signal);
  if (problem !== null) throw new GitTrouble(problem);
}
