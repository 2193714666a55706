import type { PlanStore } from '../../engine/ports/stores.ts';
import type { TaskStatus } from '../../journal/words/plan.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { printable } from '../../kit/pure/text.ts';
import { statusOfStanding } from '../graph/plan-summary.ts';
import { resetTask } from '../holds/hold-task.ts';
import type { Tasks } from './open-tasks.ts';
import { holderHere, refuseAgents } from './own-task.ts';
import { readTasks, standingIn, type TasksSnapshot, taskNamed } from './read-tasks.ts';
import { timeText } from './why-not-claimed.ts';

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

/** Each time somebody else was faster with another edit. */
const MOST_TRIES = 100;

/** Writes the status of one task into a plan, whatever others write there meanwhile. */
export async function writeStatus(store: PlanStore, id: string, status: TaskStatus, nowMs: number): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const reading = await store.read();
    if (!reading?.plan) throw notWritten('it is not there, or cannot be read');
    const task = reading.plan.tasks.find((each) => each.id === id);
    if (task === undefined) throw notWritten(`${id} is not in it`);
    if (task.status === status) return;
    if ((await store.write(reading.digest, [{ kind: 'status', id, status, at_ms: nowMs }])) === 'written') return;
  }
  throw notWritten('it is being changed all the time');
}

function notWritten(why: string): OperatorError {
  return new OperatorError('plan-not-written', `the plan could not be written: ${why}`, { hint: 'Try again when nobody else edits the plan.', exitCode: 4 });
}
