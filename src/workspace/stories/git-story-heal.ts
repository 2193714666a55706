import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathExists } from '../../kit/files/read.ts';
import { headIn } from '../git/git-place.ts';
import { versionOf } from '../git/git-scratch.ts';
import { seeWorktree, type TaskState } from '../tasks/git-task-state.ts';
import { must } from '../tasks/locks.ts';
import type { StoryRepo } from './git-story-place.ts';

/** No running git keeps a lock longer, except during a hook, and no hook runs now, because the agent has ended. */
const DEAD_AFTER_MS = 3_000;
const PAUSE_MS = 100;

/** Removes the locks of a killed git on the files that we are about to write. */
export async function removeDeadLocks({ gitDir, commonDir, indexPath }: StoryRepo, refs: readonly string[]): Promise<void> {
  const files = [indexPath, join(gitDir, 'HEAD'), join(commonDir, 'packed-refs'), ...refs.map((ref) => join(commonDir, ref))];
  await Promise.all(files.map((file) => removeIfDead(`${file}.lock`)));
}

async function removeIfDead(lock: string): Promise<void> {
  const first = await versionOf(lock);
  const untilMs = performance.now() + DEAD_AFTER_MS;
  while ((await versionOf(lock)) === first) {
    if (first === 'none') return;
    if (performance.now() > untilMs) return await rm(lock, { force: true, recursive: true });
    await sleep(PAUSE_MS);
  }
}

/** Ends what an agent left half done, with the files as they are. Makes the index again if it is gone or broken. */
export async function heal(repo: StoryRepo): Promise<TaskState> {
  const { git, gitDir, topLevel, indexPath } = repo;
  if (!(await pathExists(indexPath)) && (await headIn(repo)) !== null) must(await git(['read-tree', 'HEAD'], {}), 'the index cannot be made anew');
  const seen = await seeWorktree({ git, admin: gitDir, path: topLevel });
  await endHalfDone(repo);
  // The conflict markers stay in the files.
  if (seen.unmerged.length > 0) must(await git(['add', '--all', '--ignore-errors', '--', ':/'], {}), 'the conflicts cannot be committed');
  return seen;
}

/** The files that git keeps in the folder of the worktree during an operation, and the command that ends it. */
const UNDER_WAY = [
  ['rebase-merge', ['rebase', '--quit']],
  ['rebase-apply/applying', ['am', '--quit']],
  ['rebase-apply', ['rebase', '--quit']],
  ['MERGE_HEAD', ['merge', '--quit']],
  ['CHERRY_PICK_HEAD', ['cherry-pick', '--quit']],
  ['REVERT_HEAD', ['revert', '--quit']],
  ['sequencer', ['cherry-pick', '--quit']],
] as const;

/** The files of a bisect, which has no such command. */
const BISECT = ['LOG', 'START', 'NAMES', 'TERMS', 'RUN', 'EXPECTED_REV', 'ANCESTORS_OK', 'FIRST_PARENT'].map((name) => `BISECT_${name}`);

async function endHalfDone({ git, gitDir }: StoryRepo): Promise<void> {
  for (const [state, words] of UNDER_WAY) {
    if (!(await pathExists(join(gitDir, state)))) continue;
    await git(words, {});
    // Git itself may not understand the state.
    await rm(join(gitDir, state), { recursive: true, force: true });
  }
  if (!(await pathExists(join(gitDir, 'BISECT_LOG'))) && !(await pathExists(join(gitDir, 'BISECT_START')))) return;
  for (const name of BISECT) await rm(join(gitDir, name), { force: true });
  const marks = (await git(['for-each-ref', '--format=%(refname)', 'refs/bisect'])).stdout.split('\n').filter(Boolean);
  for (const ref of marks) await git(['update-ref', '-d', ref]);
}
