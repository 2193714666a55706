import type { ChosenTask } from './claim-task.ts';
import { holderHere } from './holder-here.ts';
import { lookAtWork } from './look-at-tasks.ts';
import type { Tasks } from './open-tasks.ts';
import { ownTask } from './own-task.ts';

/** The task that whoever stands here has: an agent its own, others the first that is claimed for them. Null: none. */
export async function currentTask(tasks: Tasks): Promise<ChosenTask | null> {
  const own = ownTask(tasks.place.env);
  const us = holderHere(tasks.place);
  const { plan, holds } = await lookAtWork(tasks);
  for (const task of plan.tasks) {
    const { register = null, n = 0 } = holds.get(task.id) ?? {};
    if (register?.state !== 'held' || register.holder === null) continue;
    const isOurs = own === null ? register.holder.name === us.holder.name : own.task === task.id && own.n === n;
    if (isOurs) return { kind: 'task', task, plan, feedback: register.feedback, claim: { holder: register.holder, key: register.key, n } };
  }
  return null;
}
