import type { TaskBranches } from '../../engine/ports/task-branches.ts';
import { type MergePlace, mergeHead } from '../merge/git-merge.ts';
import { openOperatorCommits } from '../merge/git-merge-operator.ts';
import { openMergeScratch } from '../merge/git-merge-scratch.ts';
import { openTaskBase } from './git-task-base.ts';
import { bringBaseTo } from './git-task-bring.ts';
import { closeTask } from './git-task-close.ts';
import { followBase } from './git-task-follow.ts';
import { openTask } from './git-task-open.ts';
import { openGround, type TaskPlace } from './git-task-place.ts';
import { commitsOf, mergedRef } from './git-task-refs.ts';
import { settleTask } from './git-task-settle.ts';
import { orTrouble } from './git-task-trouble.ts';

/** Nothing is asked of git, and nothing made, before it is first needed. Disposing takes the scratch worktree away. */
export function openTaskBranches(place: TaskPlace): TaskBranches & AsyncDisposable {
  const ground = openGround(place);
  const landed = new Map<string, string>();
  const merging: MergePlace = {
    ground,
    taskBase: openTaskBase(ground),
    scratch: openMergeScratch(ground),
    operator: openOperatorCommits(ground),
    onLanded: ({ task, n, head }) => landed.set(`ralph/${task}.${n}`, head),
  };
  return {
    open: (wish, signal) => orTrouble(() => openTask(ground, merging.taskBase, wish, signal), signal),
    settle: (path, wish) => orTrouble(() => settleTask(ground, path, wish)),
    merge: (wish, signal) => orTrouble(() => mergeHead(merging, wish, signal), signal),
    async merged(task, n) {
      const found = await orTrouble(() => commitsOf(ground, [mergedRef(task, n)]));
      // Who cannot tell merges again, and is told by `land` that it was landed before.
      return 'kind' in found ? null : (found[0] ?? null);
    },
    async follow() {
      const why = await orTrouble(() => followBase(ground));
      return typeof why === 'object' ? (why?.why ?? null) : why;
    },
    bringBase: (path) => orTrouble(() => bringBaseTo(ground, path, merging)),
    close: (wish) => orTrouble(() => closeTask(ground, wish, landed.get(wish.branch) ?? null)),
    async [Symbol.asyncDispose]() {
      await orTrouble(async () => await merging.scratch[Symbol.asyncDispose]());
    },
  };
}
