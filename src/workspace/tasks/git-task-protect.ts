import { join } from 'node:path';
import type { SettleRequest } from '../../engine/ports/task-branches.ts';
import { nothingKnown } from '../git/git-place.ts';
import { revertTo } from '../git/git-revert.ts';
import { openGitScratch } from '../git/git-scratch.ts';
import type { TaskGit } from './git-task-place.ts';
import { baseRef } from './git-task-refs.ts';
import type { TaskWorktree } from './git-task-worktree.ts';

/**
 * Makes what is protected what it is in the newest commit of the base that the branch has, in the files and in the index of a worktree, also where git was told not to look. What was
 * committed before is kept with the rest under the ref; what only the loop writes is none of it. Whatever stands in the place of its `.git` has no say: git is told where its folder is.
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
  // What was brought in from the base since is no change of the agent's.
  const commit = newest.code === 0 ? newest.stdout.trim() : begun;
  return await revertTo(
    { git, cwd: path, env, gitDir: admin, commonDir, known: nothingKnown(), topLevel: path, scratch },
    { tree: `${commit}^{tree}`, ...protect, except: pathspecs },
  );
}
