import type { Bases } from '../tasks/git-task-base.ts';
import type { TaskGround } from '../tasks/git-task-place.ts';
import type { TaskWorktree } from '../tasks/git-task-worktree.ts';
import { must } from '../tasks/locks.ts';
import { MERGE } from './git-merge-into.ts';

/** The operator's own commits, where the base does not have them: a person may commit while results cannot follow. */
export interface OperatorCommits {
  /** What results are merged with: the base, with the operator's commits as far as they were merged with it before. */
  known(bases: Bases): string | null;
  /** Merges them in a worktree that is on the base. Where they do not go together they are left out, and the worktree is on the base again. */
  join(worktree: TaskWorktree, bases: Bases): Promise<string>;
}

export function openOperatorCommits({ base: branch, run }: TaskGround): OperatorCommits {
  let last: { base: string; operator: string; commit: string } | null = null;
  const known = ({ base, operator, hasAll }: Bases) => {
    if (hasAll) return base;
    return last?.base === base && last.operator === operator ? last.commit : null;
  };
  return {
    known,
    async join(worktree, bases) {
      const { base, operator } = bases;
      const message = `Merge branch '${branch}' as it is now\n\nRalph-Run: ${run}\n`;
      const merged = await worktree.git([...MERGE, '--message', message, operator], {});
      if (merged.code !== 0) must(await worktree.git(['reset', '--quiet', '--hard', base], {}), 'the scratch worktree cannot be made clean');
      const commit = must(await worktree.git(['rev-parse', 'HEAD']), 'the scratch worktree cannot be read');
      last = { base, operator, commit };
      return commit;
    },
  };
}
