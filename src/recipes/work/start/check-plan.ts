import { admits } from '../../../plans/graph/select-task.ts';
import type { PlanStore } from '../../../engine/ports/plan-store.ts';
import { OperatorError } from '../../../kit/pure/operator-error.ts';
import type { Plan, PlanProblem, TaskFilter } from '../../../journal/words/plan.ts';

const MOST_PROBLEMS = 3;

/** A plan that nobody could work on is refused before anything is written. */
export async function checkedPlan(store: PlanStore, path: string, filter: TaskFilter): Promise<Plan> {
  const reading = await store.read();
  if (reading === null) throw refused('plan-missing', `there is no plan at ${path}`, 'Name it with --plan.');
  const { plan, problems } = reading;
  if (plan === null || problems.length > 0) throw unusable(path, problems);
  if (plan.tasks.length === 0) throw refused('plan-empty', `the plan ${path} has no tasks`, 'An empty plan is never complete: add a task.');
  if (!plan.tasks.some((task) => admits(task, filter)))
    throw refused('none-match', `no task of ${path} fits ${saidOf(filter)}`, 'ralph task list shows all of them.');
  return plan;
}

function unusable(path: string, problems: readonly PlanProblem[]): OperatorError {
  const told = problems.slice(0, MOST_PROBLEMS).map(({ file, line, message }) => `${file}${line === null ? '' : `:${line}`}: ${message}`);
  const more = problems.length > MOST_PROBLEMS ? `; and ${problems.length - MOST_PROBLEMS} more` : '';
  return refused(
    'plan-broken',
    told.length === 0 ? `the plan ${path} cannot be read` : `${told.join('; ')}${more}`,
    'ralph task check shows everything that is wrong with it.',
  );
}

function saidOf({ story, milestone, tags }: TaskFilter): string {
  return [story && `--story ${story}`, milestone && `--milestone ${milestone}`, ...tags.map((tag) => `--tag ${tag}`)].filter(Boolean).join(' ');
}

function refused(code: string, message: string, hint: string): OperatorError {
  return new OperatorError(code, message, { hint, exitCode: 2 });
}
