import type { PlanTask, TaskFilter } from '../../journal/words/plan.ts';
import { admits } from '../graph/select-task.ts';
import type { Hold, Standing } from '../graph/standing.ts';
import type { ChosenTask } from './claim-task.ts';
import type { Tasks } from './open-tasks.ts';
import { holderHere, ownTask } from './own-task.ts';
import { completeOnlyByPlan, readTasks, readWorkableTasks, standingIn, type TasksSnapshot, taskNamed } from './read-tasks.ts';

/** A task, its state, and its register. */
export interface ListedTask {
  readonly task: PlanTask;
  readonly state: Standing;
  readonly hold: Hold | null;
  /** Complete by the plan's file, without any register: nobody has proven it here. */
  readonly isOnlyByPlan: boolean;
}

/** In the order of the plan. */
export function listedTasks(snapshot: TasksSnapshot, filter: TaskFilter, states: readonly Standing[]): readonly ListedTask[] {
  return snapshot.plan.tasks
    .filter((task) => admits(task, filter))
    .map((task) => listedTask(task, snapshot))
    .filter(({ state }) => states.length === 0 || states.includes(state));
}

function listedTask(task: PlanTask, snapshot: TasksSnapshot): ListedTask {
  return { task, state: standingIn(snapshot, task.id), hold: snapshot.holds.get(task.id) ?? null, isOnlyByPlan: false };
}

/** A task with its surroundings. */
export interface ShownTask extends ListedTask {
  /** Null: there is no such task. */
  readonly needs: readonly { readonly id: string; readonly state: Standing | null }[];
  readonly neededBy: readonly string[];
}

export async function showTask(tasks: Tasks, id: string): Promise<ShownTask> {
  const snapshot = await readTasks(tasks);
  const task = taskNamed(snapshot.plan, id, tasks);
  return {
    ...listedTask(task, snapshot),
    isOnlyByPlan: (await completeOnlyByPlan(tasks, { ...snapshot.plan, tasks: [task] })).has(task.id),
    needs: task.needs.map((need) => ({ id: need, state: snapshot.standings.get(need) ?? null })),
    neededBy: snapshot.plan.tasks.filter(({ needs }) => needs.includes(id)).map((other) => other.id),
  };
}

/** The caller's task: an agent's own, or the first one claimed for the caller. Null: none. */
export async function currentTask(tasks: Tasks): Promise<ChosenTask | null> {
  const own = ownTask(tasks.place.env);
  const us = holderHere(tasks.place);
  const { plan, holds } = await readWorkableTasks(tasks);
  for (const task of plan.tasks) {
    const { register = null, n = 0 } = holds.get(task.id) ?? {};
    if (register?.state !== 'held' || register.holder === null) continue;
    const isOurs = own === null ? register.holder.name === us.holder.name : own.task === task.id && own.n === n;
    if (isOurs) return { kind: 'task', task, plan, feedback: register.feedback, claim: { holder: register.holder, key: register.key, n } };
  }
  return null;
}
