import type { PlanStore } from '../../engine/ports/stores.ts';
import type { Plan, PlanProblem, PlanTask, TaskFilter } from '../../journal/words/plan.ts';
import { admits, type Hold, standingOf } from '../graph/select-task.ts';

export type WorkablePlan = { readonly kind: 'plan'; readonly plan: Plan } | { readonly kind: 'trouble'; readonly why: string };

/** A plan without problems, or the first problem: somebody may be in the middle of an edit. */
export async function readWorkablePlan(store: PlanStore, planPath: string): Promise<WorkablePlan> {
  const reading = await store.read();
  if (reading === null) return { kind: 'trouble', why: `${planPath} does not exist` };
  const { plan, problems } = reading;
  if (plan !== null && problems.length === 0) return { kind: 'plan', plan };
  return { kind: 'trouble', why: whyNot(problems) ?? `${planPath} cannot be read` };
}

function whyNot([first, ...others]: readonly PlanProblem[]): string | null {
  if (first === undefined) return null;
  const place = first.line === null ? first.file : `${first.file}:${first.line}`;
  return `${place}: ${first.message}${others.length === 0 ? '' : ` (and ${others.length} more)`}`;
}

/** All tasks that may be taken now, in the order in which `selectTask` would choose them. A worker that is too late for one tries the next. */
export function readyTasks(plan: Plan, holds: ReadonlyMap<string, Hold>, filter: TaskFilter): readonly PlanTask[] {
  const standings = standingOf(plan, holds);
  return plan.tasks.filter((task) => standings.get(task.id) === 'ready' && admits(task, filter)).sort((a, b) => a.priority - b.priority);
}
