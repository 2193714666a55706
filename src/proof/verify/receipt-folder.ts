import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { GitCli } from '../../workspace/git/git-cli.ts';
import { listRuns, runsFolderOf, startIn } from '../../store/run-home.ts';
import { isInside } from '../../workspace/worktrees/is-inside.ts';
import { ownWorktreeOf } from '../../workspace/worktrees/open-again.ts';

/** Where below the top of the repository the checks of that run were run: as the run itself tells where it is known, else as far below as we are. */
export async function receiptFolder(run: string, cwd: string, git: GitCli): Promise<string> {
  return (await folderOfRun(run, cwd, git)) ?? relative(git.topLevel, await realpath(cwd));
}

/** Null for a run of another machine, or one that worked in a place nobody can name any more. A note may name anything as its run. */
async function folderOfRun(run: string, cwd: string, git: GitCli): Promise<string | null> {
  const runsFolder = runsFolderOf(cwd, git);
  if (!(await listRuns(runsFolder)).includes(run)) return null;
  const start = await startIn(join(runsFolder, run));
  if (start === null) return null;
  const top = ownWorktreeOf(start)?.path ?? git.topLevel;
  const folder = await realpath(start.cwd).catch(() => start.cwd);
  return folder === top || isInside(top, folder) ? relative(top, folder) : null;
}
