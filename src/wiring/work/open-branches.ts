import { join } from 'node:path';
import { openTaskBranches } from '../../adapters/git/task-branches.ts';
import type { TaskBranches } from '../../engine/ports/task-branches.ts';
import { withoutGitVariables } from '../../kit/pure/without-git-variables.ts';
import type { WorkSpec } from '../../model/work-spec.ts';
import type { RunAtHand } from '../run-at-hand.ts';
import { gitAt } from '../worktree/git-at.ts';
import { makeRoot } from '../worktree/worktree-root.ts';
import { withGit } from './check-base.ts';
import { furnish } from './furnish.ts';

interface AtWork {
  readonly runId: string;
  readonly markerPrefix: string;
  readonly warn: (text: string) => void;
}

/** The branches of a crew, in worktrees that are furnished as the settings say. */
export async function openBranches({ workspace, runFolder }: RunAtHand, spec: WorkSpec, at: AtWork): Promise<TaskBranches & AsyncDisposable> {
  const git = withGit(workspace);
  const env = withoutGitVariables(workspace.env);
  const place = { cwd: workspace.cwd, topLevel: git.topLevel, commonDir: git.commonDir, env, logs: join(runFolder, 'setup'), ...at };
  return openTaskBranches({
    git: gitAt(git.topLevel, env),
    env,
    topLevel: git.topLevel,
    cwd: workspace.cwd,
    worktreesRoot: await makeRoot(git, spec.worktree.root),
    base: spec.base,
    run: at.runId,
    furnish: (made, signal) => furnish(made, spec.worktree, place, signal),
  });
}
