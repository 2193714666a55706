import { taskBranch } from '../../../plans/graph/task-slug.ts';
import type { StepRule } from '../../../engine/decide/recipe.ts';
import { isOver } from '../working.ts';

/** Each task has a worktree and a branch of its own; what an earlier holder has done is in it. */
export const openTheWorkspace: StepRule = (iteration, view) => {
  const { hand, number } = iteration;
  if (hand === null || hand.workspace !== null || isOver(iteration, hand, view)) return null;
  const { task, n, from } = hand;
  return {
    kind: 'do',
    effect: { kind: 'open-workspace', key: `open:${number}`, iteration: number, attempt: 0, task: task.id, n, branch: taskBranch(task.id, n), from },
  };
};
