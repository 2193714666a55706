import type { CommitWish } from '../../engine/ports/git.ts';
import { GIT_TIMEOUT_MS, NOTHING_RUN } from './git-command.ts';
import type { CommitPlace } from './git-place.ts';
import { isLocked, untilFree } from './git-until-unlocked.ts';
import { type CommandAnswer, runUsersCommand } from './git-users-command.ts';

/**
 * Makes the user's index that tree. What it knows of files that stay the same is kept, and so is which files are not checked out; the
 * working copy is not looked at (-i). By way of the parent's tree, for an empty file that is only meant to be added (`git add -N`)
 * would count as the same, stay that way, and be missing in the commit.
 */
export async function putIntoIndex(place: CommitPlace, wish: CommitWish, signal: AbortSignal): Promise<CommandAnswer> {
  const from = await readTree(place, wish.parent === null ? ['--empty'] : [...INTO_INDEX, `${wish.parent}^{tree}`], wish, signal);
  return from.isClean ? await readTree(place, [...INTO_INDEX, wish.tree], wish, signal) : from;
}

const INTO_INDEX = ['-i', '-m', '--no-recurse-submodules'];

/** The index stays split if it is. Its log makes room for that of the commit. */
async function readTree(
  { cwd, env, guardian, indexPath }: CommitPlace,
  trees: readonly string[],
  wish: CommitWish,
  signal: AbortSignal,
): Promise<CommandAnswer> {
  const args = [...NOTHING_RUN, 'read-tree', ...trees];
  const run = () => runUsersCommand({ file: 'git', args, cwd, env, guardian, behind: null, timeoutMs: GIT_TIMEOUT_MS }, wish, signal);
  const answer = await untilFree(run, { complaintOf: ({ detail }) => detail });
  if (!isLocked(answer.detail)) return answer;
  return { isClean: false, detail: `another git holds ${indexPath}.lock, or died with it: if none runs, remove that file` };
}
