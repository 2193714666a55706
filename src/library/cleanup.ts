import { readlink, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError, withOperatorErrors } from '../kit/pure/operator-error.ts';
import { environment } from '../sandbox/environment/environment.ts';
import { ownWorktreeOf } from '../settings/schema/recipe-facts.ts';
import type { OwnWorktree } from '../settings/schema/run-settings.ts';
import { readJournalFile } from '../store/journal-file.ts';
import { takeLock } from '../store/lock.ts';
import { runLock } from '../store/runs/run-lock.ts';
import { openGitCli } from '../workspace/git/git-cli.ts';
import { removeRootIfEmpty } from '../workspace/worktrees/make-worktree.ts';
import type { LoopResult } from './loop-result.ts';

/** The result of a run, or its folder. */
export type RunReference = string | Pick<LoopResult, 'runFolder'>;

export interface CleanupOptions {
  /** Keep the branch and its commits. Default: false. */
  readonly keepBranch?: boolean;
}

/** Removes the worktree of a run and its branch, even with unmerged work. False if there is no worktree. */
export function cleanupWorktree(of: RunReference, { keepBranch = false }: CleanupOptions = {}): Promise<boolean> {
  return withOperatorErrors(async () => {
    const { run, worktree } = await startOf(of);
    if (worktree === null) return false;
    const lock = await takeLock(runLock(dirname(folderOf(of)), run), run);
    if (lock.kind === 'held') throw stillRuns(run);
    try {
      return await remove(worktree, keepBranch ? 'keep' : 'delete');
    } finally {
      await lock.release();
    }
  });
}

/** Removes the progress file of a run and the link to it in the workspace. False if there was none. */
export function cleanupProgress(of: RunReference): Promise<boolean> {
  return withOperatorErrors(async () => {
    const { cwd } = await startOf(of);
    const file = join(folderOf(of), 'progress.md');
    const link = join(cwd, '.ralph', 'progress.md');
    if ((await readlink(link).catch(() => null)) === file) await rm(link, { force: true });
    return await rm(file).then(
      () => true,
      () => false,
    );
  });
}

async function remove({ path, repository }: OwnWorktree, branch: 'keep' | 'delete'): Promise<boolean> {
  await using git = await openGitCli(repository, environment());
  if (git === null) return false;
  await git.worktrees.prune();
  if (!(await git.worktrees.list()).some((worktree) => worktree.path === path)) return false;
  await git.worktrees.remove(path, { force: true, branch });
  await removeRootIfEmpty(dirname(path));
  return true;
}

async function startOf(of: RunReference) {
  const folder = folderOf(of);
  const [first] = await readJournalFile(join(folder, 'journal.jsonl')).catch(() => []);
  if (first?.body.type !== 'run.started')
    throw new OperatorError('run-unknown', `${folder} is not the folder of a run`, { hint: 'Pass the result of runLoop, or its runFolder.', exitCode: 2 });
  const { run, cwd, settings } = first.body;
  return { run, cwd, worktree: ownWorktreeOf(settings) };
}

function stillRuns(run: string): OperatorError {
  return new OperatorError('run-busy', `run ${run} is still working in its worktree`, { hint: 'Wait for it, or abort its signal.', exitCode: 4 });
}

function folderOf(of: RunReference): string {
  return typeof of === 'string' ? of : of.runFolder;
}
