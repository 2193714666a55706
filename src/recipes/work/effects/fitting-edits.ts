import type { Plan, PlanEdit } from '../../../journal/words/plan.ts';

/**
 * The edits that still make sense in a plan that has moved on: what is worded anew is there, what is added is not, and all it needs is. Any other
 * would leave a plan with problems, which nobody works on.
 */
export function fittingEdits(plan: Plan, edits: readonly PlanEdit[]): readonly PlanEdit[] {
  const there = new Set(plan.tasks.map(({ id }) => id));
  const possible = edits.filter((edit) => (edit.kind === 'add' ? !there.has(edit.task.id) : there.has(edit.id)));
  return withAllTheyNeed(there, possible);
}

/** One that is left out may take others with it. */
function withAllTheyNeed(there: ReadonlySet<string>, edits: readonly PlanEdit[]): readonly PlanEdit[] {
  const known = new Set([...there, ...edits.flatMap((edit) => (edit.kind === 'add' ? [edit.task.id] : []))]);
  const fitting = edits.filter((edit) => edit.kind !== 'add' || edit.task.needs.every((need) => known.has(need)));
  return fitting.length === edits.length ? fitting : withAllTheyNeed(there, fitting);
}
