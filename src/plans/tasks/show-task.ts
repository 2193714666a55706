import type { Standing } from '../graph/standing.ts';
import { type ListedTask, listedTask } from './list-tasks.ts';
import { lookAtTasks, taskNamed } from './look-at-tasks.ts';
import type { Tasks } from './open-tasks.ts';

/** A task with what is around it. */
export interface ShownTask extends ListedTask {
  /** Null: there is no such task. */
  readonly needs: readonly { readonly id: string; readonly state: Standing | null }[];
  readonly neededBy: readonly string[];
}

export async function showTask(tasks: Tasks, id: string): Promise<ShownTask> {
  const sight = await lookAtTasks(tasks);
  const task = taskNamed(sight.plan, id, tasks);
  return {
    ...listedTask(task, sight),
    needs: task.needs.map((need) => ({ id: need, state: sight.standings.get(need) ?? null })),
    neededBy: sight.plan.tasks.filter(({ needs }) => needs.includes(id)).map((other) => other.id),
  };
}
