import type { PlanStore } from '../../../engine/ports/plan-store.ts';
import type { PlanTask } from '../../../journal/words/plan.ts';

/** Remembers what proves each task now, out of reach of everybody who can write the plan's file. Tasks that come later bring their own. */
export async function gatesAtStart(plan: PlanStore): Promise<(task: PlanTask) => PlanTask> {
  const tasks = (await plan.read())?.plan?.tasks ?? [];
  const known = new Map(tasks.map(({ id, verify, outputs }) => [id, { verify, outputs }]));
  return (task) => ({ ...task, ...known.get(task.id) });
}
