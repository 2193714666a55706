import { admits } from '../graph/select-task.ts';
import type { Hold, Standing } from '../graph/standing.ts';
import type { PlanTask, TaskFilter } from '../../journal/words/plan.ts';
import { standingIn, type TasksSight } from './look-at-tasks.ts';

/** A task, how it stands, and what its register says. */
export interface ListedTask {
  readonly task: PlanTask;
  readonly state: Standing;
  readonly hold: Hold | null;
}

/** In the order of the plan. */
export function listedTasks(sight: TasksSight, filter: TaskFilter, states: readonly Standing[]): readonly ListedTask[] {
  return sight.plan.tasks
    .filter((task) => admits(task, filter))
    .map((task) => listedTask(task, sight))
    .filter(({ state }) => states.length === 0 || states.includes(state));
}

export function listedTask(task: PlanTask, sight: TasksSight): ListedTask {
  return { task, state: standingIn(sight, task.id), hold: sight.holds.get(task.id) ?? null };
}
