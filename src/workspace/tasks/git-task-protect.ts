import { join } from 'node:path';
import type { SettleRequest } from '../../engine/ports/task-branches.ts';
import { nothingKnown } from '../git/git-place.ts';
import { revertTo } from '../git/git-revert.ts';
import { openGitScratch } from '../git/git-scratch.ts';
import type { TaskGit } from './git-task-place.ts';
import { baseRef } from './git-task-refs.ts';
import type { TaskWorktree } from './git-task-worktree.ts';

/**
 * Reverts protected files to the newest commit of the base that the branch contains, in the files and in the index of a worktree, even where git was told not
 * to look. What was committed before is kept with the rest under the ref; the files that only the loop writes are excluded. A changed `.git` file has no
 * effect, because git is told where its folder is.
 */
export async function putProtectedBack(
  ground: TaskGit,
  { git, admin, path }: TaskWorktree,
  { protect, pathspecs }: SettleRequest,
  begun: string,
): Promise<readonly string[]> {
  if (protect === undefined) return [];
  const commonDir = await ground.commonDir();
  await using scratch = openGitScratch({ indexPath: join(admin, 'index'), objectsPath: join(commonDir, 'objects') });
  const env = { ...ground.env, GIT_DIR: admin, GIT_WORK_TREE: path };
  const newest = await git(['merge-base', baseRef(ground.base), 'HEAD']);
  // What came in from the base since is not a change of the agent's.
  const commit = newest.code === 0 ? newest.stdout.trim() : begun;
  return await revertTo(
    { git, cwd: path, env, gitDir: admin, commonDir, known: nothingKnown(), topLevel: path, scratch },
    { tree: `${commit}^{tree}`, ...protect, except: pathspecs },
  );
}
