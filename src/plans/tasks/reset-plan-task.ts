import { OperatorError } from '../../kit/pure/operator-error.ts';
import { printable } from '../../kit/pure/text.ts';
import { statusOfStanding } from '../graph/plan-summary.ts';
import { resetTask } from '../holds/hold-task.ts';
import type { Tasks } from './open-tasks.ts';
import { holderHere, refuseAgents } from './own-task.ts';
import { readTasks, standingIn, type TasksSnapshot, taskNamed } from './read-tasks.ts';
import { timeText } from './why-not-claimed.ts';
import { writeStatus } from './write-status.ts';

/** The state of a task before the reset. */
export interface ResetTask {
  readonly was: string;
  /** The holder; null: there was none. */
  readonly holder: string | null;
}

/** Frees a task in its register and in the plan. A complete task, and one that a living run works on, need --force. */
export async function resetPlanTask(tasks: Tasks, id: string, force: boolean): Promise<ResetTask> {
  refuseAgents(tasks.place.env, 'reset');
  const snapshot = await readTasks(tasks);
  const task = taskNamed(snapshot.plan, id, tasks);
  if (!force) refuseDone(id, snapshot);
  if (!force) refuseAtWork(id, snapshot);
  const nowMs = Date.now();
  const before = await resetTask(tasks, { planPath: tasks.place.plan.path, task: id, nowMs });
  if (task.status !== 'pending' && task.status !== 'ready') await writeStatus(tasks.store, id, 'ready', nowMs);
  const standing = standingIn(snapshot, id);
  const was = standing === 'failed' || standing === 'conflict' || standing === 'parked' ? standing : statusOfStanding[standing];
  await tasks.audit({ event: 'reset', task_id: id, old_status: was, new_status: 'ready', trigger: holderHere(tasks.place).holder.name });
  return { was, holder: before?.register?.state === 'held' ? (before.register.holder?.name ?? null) : null };
}

function refuseDone(id: string, snapshot: TasksSnapshot): void {
  if (standingIn(snapshot, id) !== 'complete') return;
  throw new OperatorError('task-not-reset', `${id} is complete`, { hint: `If it has to be done again: ralph task reset ${id} --force`, exitCode: 2 });
}

/** People and scripts have no process to check, so their holds do not prevent a reset. */
function refuseAtWork(id: string, { holds }: TasksSnapshot): void {
  const hold = holds.get(id);
  if (hold?.register?.state !== 'held' || !['alive', 'unknown'].includes(hold.liveness)) return;
  const { holder, at } = hold.register;
  throw new OperatorError('task-not-reset', `${printable(holder?.name ?? 'a run')} works on ${id} since ${timeText(at)}`, {
    hint: `Stop it first with ralph runs stop, or free it anyway with ralph task reset ${id} --force`,
    exitCode: 2,
  });
}
