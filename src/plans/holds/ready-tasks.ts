import { admits, type Hold, standingOf } from '../graph/select-task.ts';
import type { Plan, PlanTask, TaskFilter } from '../../journal/words/plan.ts';

/** All that may be taken now, in the order in which `selectTask` would choose them one after the other: who is too late for one goes on to the next. */
export function readyTasks(plan: Plan, holds: ReadonlyMap<string, Hold>, filter: TaskFilter): readonly PlanTask[] {
  const standings = standingOf(plan, holds);
  return plan.tasks.filter((task) => standings.get(task.id) === 'ready' && admits(task, filter)).sort((a, b) => a.priority - b.priority);
}
