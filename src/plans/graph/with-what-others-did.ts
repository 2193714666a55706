import type { Plan, PlanTask } from '../../journal/words/plan.ts';

/**
 * What an agent's plan is compared with, if it may have merged the base itself: a task that it has just as the plan at home has it by now was changed by
 * others, and nobody is blamed for that.
 */
export function withWhatOthersDid(before: Plan, form: Plan | null, home: Plan | null): Plan {
  if (form === null || home === null) return before;
  const theirs = new Map(form.tasks.map((task) => [task.id, textOf(task)]));
  const same = new Map(home.tasks.filter((task) => theirs.get(task.id) === textOf(task)).map((task) => [task.id, task]));
  const known = new Set(before.tasks.map(({ id }) => id));
  const added = [...same.values()].filter(({ id }) => !known.has(id));
  return { ...before, tasks: [...before.tasks.map((task) => same.get(task.id) ?? task), ...added] };
}

const textOf = (task: PlanTask): string => JSON.stringify(task, Object.keys(task).sort());
