import type { TaskWorktree } from './git-task-worktree.ts';
import { must } from './locks.ts';

const UNKNOWN = /^error: pathspec '.*' did not match any file/m;

/** Makes what the pathspecs name what it is in that commit, be it nothing, in the index and in the files. A pathspec that names nothing at all is as it should be. */
export async function restoreFrom({ git }: TaskWorktree, commit: string, pathspecs: readonly string[]): Promise<void> {
  const restore = (specs: readonly string[]) => git(['restore', `--source=${commit}`, '--staged', '--worktree', '--', ...specs], {});
  const all = await restore(pathspecs);
  if (all.code === 0) return;
  if (!UNKNOWN.test(all.stderr)) must(all, 'what only the loop writes cannot be put back');
  for (const pathspec of pathspecs) {
    const one = await restore([pathspec]);
    if (!UNKNOWN.test(one.stderr)) must(one, `${pathspec} cannot be put back`);
  }
}
