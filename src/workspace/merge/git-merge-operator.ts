import type { Bases } from '../tasks/git-task-base.ts';
import type { TaskGit } from '../tasks/git-task-place.ts';
import { must } from '../tasks/locks.ts';
import type { MergeRoom } from './merge-room.ts';
import { mergeTrees } from './merge-trees.ts';

/** The operator's own commits that the base does not have: a person may commit while the branch cannot follow the base. */
export interface OperatorCommits {
  /** The commit to merge results with: the base, together with the operator's commits if they were merged with it before; null if they were not. */
  known(bases: Bases): string | null;
  /** Merges them with the base. If they conflict, they are left out. */
  join(room: MergeRoom, bases: Bases): Promise<string>;
}

export function openOperatorCommits({ base: branch, run }: TaskGit): OperatorCommits {
  let last: { base: string; operator: string; commit: string } | null = null;
  return {
    known({ base, operator, hasAll }) {
      if (hasAll) return base;
      return last?.base === base && last.operator === operator ? last.commit : null;
    },
    async join(room, { base, operator }) {
      const message = `Merge branch '${branch}' as it is now\n\nRalph-Run: ${run}`;
      await room.stand(base);
      const merged = await mergeTrees(room, { onto: base, head: operator, pathspecs: [] });
      const made = merged.kind === 'conflict' ? null : await room.git(['commit-tree', merged.tree, '-p', base, '-p', operator, '-m', message]);
      const commit = made === null ? base : must(made, 'git cannot commit the merge');
      last = { base, operator, commit };
      return commit;
    },
  };
}
