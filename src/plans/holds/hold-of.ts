import type { WorkPorts } from '../../engine/ports/ports.ts';
import type { PlanStore, Register } from '../../engine/ports/stores.ts';
import type { Plan, PlanProblem, PlanTask, TaskFilter } from '../../journal/words/plan.ts';
import { TaskRegister } from '../../journal/words/task-register.ts';
import { admits, type Hold, standingOf } from '../graph/select-task.ts';
import { missingLabels, registerName } from '../graph/standing.ts';
import { taskBranch } from '../graph/task-slug.ts';

/** Registers return the same object for what they have read before. Nobody changes it, so it is parsed once. */
const parsedRegisters = new WeakMap<object, TaskRegister | null>();

/** What a task's register says. If it cannot be read, the holder is unknown. */
export function holdOf({ n, value }: Register, livenessOf: WorkPorts['livenessOf']): Hold {
  const register = registerIn(value);
  if (register === null) return { n, register, liveness: 'unknown' };
  const process = register.holder?.process ?? null;
  return { n, register, liveness: process === null ? 'named' : livenessOf(process) };
}

function registerIn(value: unknown): TaskRegister | null {
  if (typeof value !== 'object' || value === null) return null;
  const earlier = parsedRegisters.get(value);
  if (earlier !== undefined) return earlier;
  const register = TaskRegister.safeParse(value).data ?? null;
  parsedRegisters.set(value, register);
  return register;
}

/** Whether the next worker may take it: it was released, its holder is dead, or a person wants it done again. */
export function mayBeTaken({ register, liveness, done }: Hold): boolean {
  if (register === null) return false;
  return register.state === 'free' || (register.state === 'held' && liveness === 'dead') || (register.state === 'done' && done === 'undone');
}

/** The branch with the work done so far. A run that holds the task, or died with it, uses the branch with its fencing number. */
export function leftBranch(task: string, { n, register }: Hold): string | null {
  const run = register?.holder?.run ?? null;
  return register?.state === 'held' && run !== null ? taskBranch(task, n) : (register?.branch ?? null);
}

/** With both, it is checked where a result is that the file does not have; without, the register alone counts. */
export type DoneCheck = Partial<Pick<WorkPorts, 'locationOf' | 'plan'>>;

/**
 * For tasks that are done by their register but not by the file. If the checkout does not have the result, it could not follow the base. If it has, a person
 * has set the task back. The file is read once more, in case the result came after the first reading.
 */
export async function withUndoneTasks({ locationOf, plan }: DoneCheck, holds: ReadonlyMap<string, Hold>): Promise<ReadonlyMap<string, Hold>> {
  const odd = [...holds].filter(([, { register }]) => register?.state === 'done' && register.base !== null && !register.unwritten);
  if (odd.length === 0 || !locationOf || !plan) return holds;
  const places = new Map<string, Hold['done']>();
  for (const [id, { register }] of odd) places.set(id, DONE[await locationOf(register?.base ?? '')]);
  const tasks = (await plan.read())?.plan?.tasks ?? [];
  for (const { id, status } of tasks) if (status === 'complete' && places.has(id)) places.set(id, 'here');
  return new Map([...holds].map(([id, hold]) => [id, withPlace(hold, places.get(id))]));
}

const DONE = { checkout: 'undone', base: 'here', elsewhere: 'elsewhere' } as const satisfies Record<Awaited<ReturnType<WorkPorts['locationOf']>>, Hold['done']>;

function withPlace(hold: Hold, done: Hold['done']): Hold {
  return done === undefined ? hold : { ...hold, done };
}

/** What the next holder must pass on, if a person has set the task back. */
export function undoneNumber(hold: Hold | undefined): { readonly undone?: number } {
  return hold?.done === 'undone' ? { undone: hold.n } : {};
}

type HoldPorts = Pick<WorkPorts, 'registers' | 'livenessOf'> & DoneCheck;

/** The registers of the tasks that are not complete by the plan's file. Tasks that nobody ever held are left out. */
export async function readHolds(ports: HoldPorts, planPath: string, plan: Plan): Promise<ReadonlyMap<string, Hold>> {
  const open = plan.tasks.filter(({ status }) => status !== 'complete');
  const names = new Map(open.map(({ id }) => [registerName(planPath, id), id]));
  const livenessOf = askedOnce(ports.livenessOf);
  const holds = new Map<string, Hold>();
  for (const [name, register] of await ports.registers.getMany([...names.keys()])) {
    const id = names.get(name);
    if (id !== undefined) holds.set(id, holdOf(register, livenessOf));
  }
  return await withUndoneTasks(ports, holds);
}

/** One process may hold hundreds of tasks, so its liveness is checked only once. */
function askedOnce(livenessOf: WorkPorts['livenessOf']): WorkPorts['livenessOf'] {
  const answers = new Map<string, ReturnType<WorkPorts['livenessOf']>>();
  return (process) => {
    const { host, boot_id, pid, start_time } = process;
    const who = `${pid} ${start_time} ${boot_id} ${host}`;
    const answer = answers.get(who) ?? livenessOf(process);
    answers.set(who, answer);
    return answer;
  };
}

export type WorkablePlan = { readonly kind: 'plan'; readonly plan: Plan } | { readonly kind: 'trouble'; readonly why: string };

/** A plan without problems, or the first problem: somebody may be in the middle of an edit. */
export async function readWorkablePlan(store: PlanStore, planPath: string): Promise<WorkablePlan> {
  const reading = await store.read();
  if (reading === null) return { kind: 'trouble', why: `${planPath} does not exist` };
  const { plan, problems } = reading;
  if (plan !== null && problems.length === 0) return { kind: 'plan', plan };
  return { kind: 'trouble', why: whyNot(problems) ?? `${planPath} cannot be read` };
}

function whyNot([first, ...others]: readonly PlanProblem[]): string | null {
  if (first === undefined) return null;
  const place = first.line === null ? first.file : `${first.file}:${first.line}`;
  return `${place}: ${first.message}${others.length === 0 ? '' : ` (and ${others.length} more)`}`;
}

/** All tasks that may be taken now, in the order in which `selectTask` would choose them. A worker that is too late for one tries the next. */
export function readyTasks(plan: Plan, holds: ReadonlyMap<string, Hold>, filter: TaskFilter): readonly PlanTask[] {
  const standings = standingOf(plan, holds);
  return plan.tasks
    .filter((task) => standings.get(task.id) === 'ready' && admits(task, filter) && missingLabels(task, filter).length === 0)
    .sort((a, b) => a.priority - b.priority);
}
