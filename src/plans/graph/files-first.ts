import type { Plan, PlanGroup, PlanTask } from '../../journal/words/plan.ts';

/** What an agent looks for anyway, and is told of where it is there. */
const NOTES = ['AGENTS.md', 'CLAUDE.md'] as const;

/** The files an agent may want to read before it begins, from the general to the task; whether each of them is there is for the caller to see. */
export function filesFirst(plan: Plan, task: PlanTask, planPath: string): readonly string[] {
  const paths = [
    ...NOTES,
    ...pathsOf(plan.milestones, task.milestones),
    ...pathsOf(plan.stories, task.story === null ? [] : [task.story]),
    ...(task.path === null ? [] : [task.path]),
    planPath,
  ];
  return [...new Set(paths)];
}

function pathsOf(groups: readonly PlanGroup[], ids: readonly string[]): readonly string[] {
  return groups.flatMap((group) => (ids.includes(group.id) && group.path !== null ? [group.path] : []));
}
