import type { PlanTask, TaskStatus } from '../../journal/words/plan.ts';
import type { ParsedPlan } from '../parse-plan.ts';
import type { Wanted } from './wanted.ts';

/** Before anything is written: read again, the new text must say of every task what decides about it. What does not is never written. */
export function refuseSurprises({ tasks }: Wanted, { plan, problems }: ParsedPlan, nearest: (status: TaskStatus) => TaskStatus): void {
  if (plan === null) throw new Error(`The plan would not be readable any more: ${problems[0]?.message}`);
  const expected = new Map(tasks.map((task) => [task.id, decisive(task, nearest)]));
  for (const task of plan.tasks) {
    const said = decisive(task, nearest);
    if (expected.get(task.id) !== said) throw new Error(`The plan would say something else of ${task.id} than it was to: ${said}`);
    expected.delete(task.id);
  }
  const [lost] = expected.keys();
  if (lost !== undefined) throw new Error(`The plan would have no task ${lost} any more.`);
}

function decisive({ status, priority, needs, outputs, verify }: PlanTask, nearest: (status: TaskStatus) => TaskStatus): string {
  return JSON.stringify([nearest(status), priority, [...needs].sort(), outputs, verify]);
}
