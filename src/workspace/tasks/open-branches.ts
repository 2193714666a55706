import { join } from 'node:path';
import { openGitCommand } from '../git/git-command.ts';
import type { Behind } from '../git/git-place.ts';
import type { Pins } from '../pins/pinned-config.ts';
import { openTaskBranches } from './task-branches.ts';
import type { TaskBranches } from '../../engine/ports/task-branches.ts';
import { withoutGitVariables } from '../../kit/pure/without-git-variables.ts';
import type { WorkSpec } from '../../settings/schema/work-spec.ts';
import type { RunAtHand } from '../../runs/run-at-hand.ts';
import { makeRoot } from '../worktrees/worktree-root.ts';
import { withGit } from '../check-base.ts';
import { furnish } from './furnish.ts';

interface AtWork {
  readonly runId: string;
  readonly markerPrefix: string;
  readonly warn: (text: string) => void;
  /** What stands around the setup of a worktree, and what it finds in its environment; absent: nothing, and all. */
  readonly behind?: Behind | null;
  /** What git obeys is put back by it before every command. */
  readonly pins?: Pins | null;
}

/** The branches of a crew, in worktrees that are furnished as the settings say. */
export async function openBranches({ workspace, runFolder }: RunAtHand, spec: WorkSpec, at: AtWork): Promise<TaskBranches & AsyncDisposable> {
  const git = withGit(workspace);
  const env = withoutGitVariables(workspace.env);
  const place = { cwd: workspace.cwd, topLevel: git.topLevel, commonDir: git.commonDir, env, logs: join(runFolder, 'setup'), ...at };
  return openTaskBranches({
    git: openGitCommand(git.topLevel, env, async () => await at.pins?.mendSettings()),
    env,
    topLevel: git.topLevel,
    cwd: workspace.cwd,
    worktreesRoot: await makeRoot(git, spec.worktree.root),
    base: spec.base,
    run: at.runId,
    furnish: (made, signal) => furnish(made, spec.worktree, place, signal),
  });
}
