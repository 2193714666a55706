import type { PlanNews, SeenTask } from '../../journal/events/work.ts';
import type { Plan } from '../../journal/words/plan.ts';
import { standingOf } from './select-task.ts';
import type { Holds } from './standing.ts';

/** The tasks of a plan and how each stands now. */
export function seenTasks(plan: Plan, holds: Holds): readonly SeenTask[] {
  const standings = standingOf(plan, holds);
  return plan.tasks.map(({ id, title, needs }) => ({ id, title, needs, standing: standings.get(id) ?? 'waiting' }));
}

/**
 * What the journal does not know yet of the tasks, from one look at the plan to the next. A process tells everything first, and again when tasks came, went or
 * were reworded; else only the tasks that stand otherwise than at the last look.
 */
export function openPlanNews(): (tasks: readonly SeenTask[]) => PlanNews | undefined {
  let told: readonly SeenTask[] = [];
  return (tasks) => {
    const before = told;
    told = tasks;
    if (JSON.stringify(before.map(shapeOf)) !== JSON.stringify(tasks.map(shapeOf))) return { whole: true, tasks: [...tasks] };
    const changed = tasks.filter(({ standing }, index) => standing !== before[index]?.standing);
    return changed.length === 0 ? undefined : { whole: false, tasks: changed };
  };
}

const shapeOf = ({ id, title, needs }: SeenTask) => [id, title, needs];
