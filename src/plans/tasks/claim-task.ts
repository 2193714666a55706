import type { Plan, PlanTask, TaskFilter } from '../../journal/words/plan.ts';
import type { OperatorError } from '../../kit/pure/operator-error.ts';
import { type Nothing, selectTask } from '../graph/select-task.ts';
import type { Hold } from '../graph/standing.ts';
import { readHolds, undoneNumber } from '../holds/hold-of.ts';
import { holdTask } from '../holds/hold-task.ts';
import type { Tasks } from './open-tasks.ts';
import { type HolderHere, holderHere, refuseAgents } from './own-task.ts';
import { readWorkableTasks, taskNamed } from './read-tasks.ts';
import { alreadyClaimed, whyNotClaimed } from './why-not-claimed.ts';

/** A chosen task and its hold; null: it was not claimed. */
export interface ChosenTask {
  readonly kind: 'task';
  readonly task: PlanTask;
  readonly plan: Plan;
  readonly feedback: string;
  readonly claim: (HolderHere & { readonly n: number }) | null;
}

/** The first ready task, or why there is none. */
export async function nextTask(tasks: Tasks, filter: TaskFilter): Promise<ChosenTask | Nothing> {
  const { plan, holds } = await readWorkableTasks(tasks);
  const selection = selectTask(plan, holds, filter);
  return selection.kind === 'nothing'
    ? selection
    : { kind: 'task', task: selection.task, plan, feedback: feedbackOf(holds.get(selection.task.id)), claim: null };
}

/** Claims the first ready task. If somebody else was faster, it tries the next one and never the same one again, so this ends. */
export async function claimNext(tasks: Tasks, filter: TaskFilter): Promise<ChosenTask | Nothing> {
  refuseAgents(tasks.place.env, 'claim');
  const us = holderHere(tasks.place);
  const snapshot = await readWorkableTasks(tasks);
  const { plan } = snapshot;
  const ours = ownAlready(plan, snapshot.holds, us);
  if (ours !== null) return ours;
  const lost = new Map<string, Hold>();
  for (let holds = snapshot.holds; ; holds = new Map([...(await readHolds(tasks, tasks.place.plan.path, plan)), ...lost])) {
    const selection = selectTask(plan, holds, filter);
    if (selection.kind === 'nothing') return selection;
    const held = await hold(tasks, selection.task, us, holds.get(selection.task.id));
    if (held.kind === 'held') return await claimed(tasks, { plan, task: selection.task, us, ...held });
    lost.set(selection.task.id, held.by);
  }
}

export async function claimTask(tasks: Tasks, id: string): Promise<ChosenTask> {
  refuseAgents(tasks.place.env, 'claim');
  const us = holderHere(tasks.place);
  const snapshot = await readWorkableTasks(tasks);
  const task = taskNamed(snapshot.plan, id, tasks);
  const why = whyNotClaimed(task, snapshot);
  if (why !== null) return await refuse(tasks, task, why);
  const held = await hold(tasks, task, us, snapshot.holds.get(id));
  if (held.kind === 'taken') return await refuse(tasks, task, alreadyClaimed(id, held.by));
  return await claimed(tasks, { plan: snapshot.plan, task, us, ...held });
}

/** The task whatever its state, and why it could not be claimed. */
export async function previewTask(tasks: Tasks, id: string): Promise<{ readonly chosen: ChosenTask; readonly why: OperatorError | null }> {
  const snapshot = await readWorkableTasks(tasks);
  const task = taskNamed(snapshot.plan, id, tasks);
  const feedback = feedbackOf(snapshot.holds.get(id));
  return { chosen: { kind: 'task', task, plan: snapshot.plan, feedback, claim: null }, why: whyNotClaimed(task, snapshot) };
}

/** One effect of a loop takes one task, however often its prompt command runs. */
function ownAlready(plan: Plan, holds: ReadonlyMap<string, Hold>, us: HolderHere): ChosenTask | null {
  if (us.key === '') return null;
  for (const task of plan.tasks) {
    const own = holds.get(task.id);
    if (own?.register?.state !== 'held' || own.register.key !== us.key || own.register.holder?.run !== us.holder.run) continue;
    return { kind: 'task', task, plan, feedback: feedbackOf(own), claim: { ...us, n: own.n } };
  }
  return null;
}

function hold(tasks: Tasks, { id }: PlanTask, { holder, key }: HolderHere, before: Hold | undefined) {
  return holdTask(tasks, { planPath: tasks.place.plan.path, task: id, holder, key, nowMs: Date.now(), ...undoneNumber(before) });
}

interface Held {
  readonly plan: Plan;
  readonly task: PlanTask;
  readonly us: HolderHere;
  readonly n: number;
  readonly register: Hold['register'];
}

async function claimed({ audit }: Tasks, { plan, task, us, n, register }: Held): Promise<ChosenTask> {
  await audit({ event: 'claimed', task_id: task.id, old_status: task.status, new_status: 'in-progress', trigger: us.holder.name });
  return { kind: 'task', task, plan, feedback: register?.feedback ?? '', claim: { ...us, n } };
}

async function refuse({ audit, place }: Tasks, { id, status }: PlanTask, why: OperatorError): Promise<never> {
  await audit({ event: 'claim-blocked', task_id: id, old_status: status, new_status: status, trigger: holderHere(place).holder.name, notes: why.message });
  throw why;
}

const feedbackOf = (hold: Hold | undefined) => hold?.register?.feedback ?? '';
