import { printable } from '../../kit/pure/printable.ts';
import type { Plan, PlanProblem } from '../../journal/words/plan.ts';
import { problemLine } from '../tasks/look-at-tasks.ts';

/** Every problem on a line that editors can follow; or how much there is that is in order. */
export function checkLines(path: string, plan: Plan | null, problems: readonly PlanProblem[]): readonly string[] {
  if (problems.length > 0)
    return [...problems.map((problem) => printable(problemLine(problem))), `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`];
  const { tasks = [], stories = [], milestones = [] } = plan ?? {};
  const needs = tasks.reduce((sum, task) => sum + task.needs.length, 0);
  const counts = [`${tasks.length} tasks`, `${needs} needs`, `${stories.length} stories`, `${milestones.length} milestones`];
  return [`${path}: ${counts.join(', ')}: no problems`];
}
