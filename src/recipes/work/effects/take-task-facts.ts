import type { PlanPorts } from '../../../engine/ports/ports.ts';
import type { TakeTask } from '../../../journal/effects/work-effect.ts';
import type { PlanTroubled, TaskNone, TaskTaken } from '../../../journal/events/work.ts';
import type { Plan, PlanTask } from '../../../journal/words/plan.ts';
import type { Holder, TaskRegister } from '../../../journal/words/task-register.ts';
import { seenTasks } from '../../../plans/graph/plan-news.ts';
import type { Nothing } from '../../../plans/graph/select-task.ts';
import type { Holds } from '../../../plans/graph/standing.ts';
import { runIdOf } from '../../../workspace/effects/scm-place.ts';

/** A task that we hold, its number, and what its agent needs. */
export interface TakenTask {
  readonly task: PlanTask;
  readonly n: number;
  readonly held: TaskRegister;
  /** The output of the prompt command. */
  readonly prompt: string | null;
}

/** The worker that asks, identified by this process. */
export function holderFor({ lane }: TakeTask, ports: PlanPorts): Holder {
  const run = runIdOf(ports.place);
  return { name: `${run}/${lane}`, run, lane, process: ports.work.process };
}

export function taskTaken({ key, lane }: TakeTask, ports: PlanPorts, { task, n, held, prompt }: TakenTask): TaskTaken {
  const { tries, feedback, branch, claim, answers } = held;
  const left = { ...(claim && { claim }), ...(answers && { answers: [...answers] }) };
  return { type: 'task.taken', key, lane, task: ports.work.withGatesAtStart(task), n, tries, feedback, from: branch, prompt, ...left };
}

export async function auditClaimed(ports: PlanPorts, { id, status }: PlanTask, { name }: Holder, notes?: string): Promise<void> {
  await ports.work.audit({
    timestamp: new Date(ports.clock.nowMs()).toISOString(),
    event: 'claimed',
    task_id: id,
    old_status: status,
    new_status: 'in-progress',
    worktree: ports.place.workspace,
    trigger: name,
    ...(notes === undefined ? {} : { notes }),
  });
}

/** As a field of the fact. */
export function planNews(ports: PlanPorts, plan: Plan, holds: Holds): Pick<TaskTaken, 'plan'> {
  const news = ports.work.planNews(seenTasks(plan, holds));
  return news === undefined ? {} : { plan: news };
}

export function taskNone({ key }: TakeTask, { reason, held, counts, detail }: Nothing): TaskNone {
  return { type: 'task.none', key, reason, held, counts, detail };
}

export function planTroubled({ key }: TakeTask, why: string): PlanTroubled {
  return { type: 'plan.troubled', key, why };
}
