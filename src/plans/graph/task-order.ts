import type { Plan, PlanTask, TaskFilter } from '../../journal/words/plan.ts';
import { type Nothing, selectTask } from './select-task.ts';
import type { Holds } from './standing.ts';

export interface TaskOrder {
  readonly tasks: readonly PlanTask[];
  /** Why no other task comes after them. */
  readonly end: Nothing;
}

/** The order in which one worker would take the tasks, if it completed each of them. */
export function orderOf(plan: Plan, holds: Holds, filter: TaskFilter): TaskOrder {
  const tasks: PlanTask[] = [];
  for (let left = plan; ; ) {
    const next = selectTask(left, holds, filter);
    if (next.kind === 'nothing') return { tasks, end: next };
    const { id } = next.task;
    tasks.push(next.task);
    left = { ...left, tasks: left.tasks.map((task) => (task.id === id ? { ...task, status: 'complete' } : task)) };
  }
}
