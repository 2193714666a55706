import { gitAt } from '../../workspace/worktrees/git-at.ts';
import type { PlanPlace } from './find-plan-place.ts';

/** Which of these outputs the last commit does not have as they are, one line each. Without git nothing can be said against them. */
export async function uncommittedOutputs(outputs: readonly string[], { top, env, commonDir }: PlanPlace): Promise<readonly string[]> {
  if (commonDir === null) return [];
  const git = gitAt(top, env);
  const found: string[] = [];
  for (const output of new Set(outputs)) {
    const path = `:(top,literal)${output}`;
    const tracked = await git(['ls-files', '-z', '--', path]);
    const changed = await git(['status', '--porcelain', '-z', '--untracked-files=all', '--', path]);
    if (tracked.code !== 0 || changed.code !== 0) found.push(`Git cannot tell whether the output is committed: ${output}`);
    else if (tracked.stdout === '') found.push(`Output is not committed: ${output}`);
    else if (changed.stdout !== '') found.push(`Output has uncommitted changes: ${output}`);
  }
  return found;
}

/** A warning for whoever completes a task in another work tree than the plan's: others begin with what the plan's has. */
export async function unmergedWork({ top, home, env, commonDir }: PlanPlace): Promise<readonly string[]> {
  if (commonDir === null || top === home) return [];
  const head = (await gitAt(top, env)(['rev-parse', '--verify', '--quiet', 'HEAD'])).stdout.trim();
  const { code } = await gitAt(home, env)(['merge-base', '--is-ancestor', head, 'HEAD']);
  return code === 1 ? [`The commits of this worktree are not in ${home} yet: merge them before the next task begins`] : [];
}
