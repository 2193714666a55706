import type { PlanReading } from '../../engine/ports/stores.ts';
import type { Plan, PlanProblem, PlanTask } from '../../journal/words/plan.ts';
import { didYouMean } from '../../kit/pure/did-you-mean.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { type Standing, standingOf } from '../graph/select-task.ts';
import { type Holds, registerName, type Standings } from '../graph/standing.ts';
import { readHolds } from '../holds/hold-of.ts';
import type { Tasks } from './open-tasks.ts';

/** A plan and its registers as they are now. */
export interface TasksSnapshot {
  readonly plan: Plan;
  readonly problems: readonly PlanProblem[];
  readonly holds: Holds;
  readonly standings: Standings;
}

/** Reads whatever is readable. Throws when nothing is. */
export async function readTasks(tasks: Tasks): Promise<TasksSnapshot> {
  const { plan, problems } = await readPlan(tasks);
  if (plan === null) throw refusalOf(problems, tasks);
  const holds = await readHolds(tasks, tasks.place.plan.path, plan);
  return { plan, problems, holds, standings: standingOf(plan, holds) };
}

/** The same for callers that work on it: throws when the plan has problems. */
export async function readWorkableTasks(tasks: Tasks): Promise<TasksSnapshot> {
  const snapshot = await readTasks(tasks);
  if (snapshot.problems.length > 0) throw refusalOf(snapshot.problems, tasks);
  return snapshot;
}

/** The tasks that are complete by the plan's file although nobody ever held them: they were done before Ralph came. */
export async function completeOnlyByPlan({ registers, place }: Pick<Tasks, 'registers' | 'place'>, { tasks }: Plan): Promise<ReadonlySet<string>> {
  const names = new Map(tasks.filter(({ status }) => status === 'complete').map(({ id }) => [registerName(place.plan.path, id), id]));
  const held = await registers.getMany([...names.keys()]);
  return new Set([...names].flatMap(([name, id]) => (held.has(name) ? [] : [id])));
}

export async function readPlan({ store, place }: Pick<Tasks, 'store' | 'place'>): Promise<PlanReading> {
  const reading = await store.read();
  if (reading !== null) return reading;
  throw new OperatorError('plan-missing', `there is no plan at ${place.plan.path} in ${place.home}`, { hint: 'Name another one with --plan.', exitCode: 2 });
}

/** `file:line: message`, which editors understand. */
export function problemLine({ file, line, message }: PlanProblem): string {
  return `${file}:${line === null ? '' : `${line}:`} ${message}`;
}

/** Reports the first problem, and how many more there are. */
function refusalOf([first, ...others]: readonly PlanProblem[], { place }: Pick<Tasks, 'place'>): OperatorError {
  const what = first === undefined ? `${place.plan.path} cannot be read` : problemLine(first);
  const hint = others.length === 0 ? 'Fix it, then check again with ralph task check.' : `ralph task check shows this and ${others.length} more.`;
  return new OperatorError('plan-invalid', what, { hint, exitCode: 2 });
}

export function taskNamed({ tasks }: Plan, id: string, { place }: Pick<Tasks, 'place'>): PlanTask {
  const found = tasks.find((task) => task.id === id);
  if (found !== undefined) return found;
  const near = didYouMean(
    id,
    tasks.map((task) => task.id),
  );
  throw new OperatorError('task-unknown', `there is no task "${id}" in ${place.plan.path}`, {
    hint: near === null ? 'See ralph task list.' : `Did you mean ${near}?`,
    exitCode: 2,
  });
}

export const standingIn = ({ standings }: Pick<TasksSnapshot, 'standings'>, id: string): Standing => standings.get(id) ?? 'waiting';
