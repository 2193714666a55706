import type { CrewPorts } from '../../engine/ports/ports.ts';
import type { Register } from '../../engine/ports/stores.ts';
import type { Plan } from '../../journal/words/plan.ts';
import { TaskRegister } from '../../journal/words/task-register.ts';
import type { Hold } from '../graph/select-task.ts';
import { registerName } from '../graph/standing.ts';
import { taskBranch } from '../graph/task-slug.ts';

/** Registers give the same object for what they have read before. Nobody changes it, so it is looked through once. */
const lookedThrough = new WeakMap<object, TaskRegister | null>();

/** What is known of a task by its register. Nobody can be asked about one that cannot be read. */
export function holdOf({ n, value }: Register, livenessOf: CrewPorts['livenessOf']): Hold {
  const register = registerIn(value);
  if (register === null) return { n, register, liveness: 'unknown' };
  const process = register.holder?.process ?? null;
  return { n, register, liveness: process === null ? 'named' : livenessOf(process) };
}

function registerIn(value: unknown): TaskRegister | null {
  if (typeof value !== 'object' || value === null) return null;
  const earlier = lookedThrough.get(value);
  if (earlier !== undefined) return earlier;
  const register = TaskRegister.safeParse(value).data ?? null;
  lookedThrough.set(value, register);
  return register;
}

/** Whether the next one may take it: it was let go, who had it is dead, or a person wants it done again. */
export function mayBeTaken({ register, liveness, done }: Hold): boolean {
  if (register === null) return false;
  return register.state === 'free' || (register.state === 'held' && liveness === 'dead') || (register.state === 'done' && done === 'undone');
}

/** The branch that holds what was done so far. A run that still has the task, or died with it, works on the branch that bears its number. */
export function leftBranch(task: string, { n, register }: Hold): string | null {
  const run = register?.holder?.run ?? null;
  return register?.state === 'held' && run !== null ? taskBranch(task, n) : (register?.branch ?? null);
}

/** With both it is looked where a result is that the file does not know of; without, the register alone is believed. */
export type DoneSight = Partial<Pick<CrewPorts, 'whereIs' | 'plan'>>;

/**
 * A task is done by its register and not by the file. Where the checkout does not have the result yet, it could not follow. Where it has, a person has set
 * the task back: unless the file was read before the result came, so it is read once more.
 */
export async function withWhatIsUndone({ whereIs, plan }: DoneSight, holds: ReadonlyMap<string, Hold>): Promise<ReadonlyMap<string, Hold>> {
  const odd = [...holds].filter(([, { register }]) => register?.state === 'done' && register.base !== null);
  if (odd.length === 0 || !whereIs || !plan) return holds;
  const places = new Map<string, Hold['done']>();
  for (const [id, { register }] of odd) places.set(id, DONE[await whereIs(register?.base ?? '')]);
  const tasks = (await plan.read())?.plan?.tasks ?? [];
  for (const { id, status } of tasks) if (status === 'complete' && places.has(id)) places.set(id, 'here');
  return new Map([...holds].map(([id, hold]) => [id, withPlace(hold, places.get(id))]));
}

const DONE = { checkout: 'undone', base: 'here', elsewhere: 'elsewhere' } as const satisfies Record<Awaited<ReturnType<CrewPorts['whereIs']>>, Hold['done']>;

function withPlace(hold: Hold, done: Hold['done']): Hold {
  return done === undefined ? hold : { ...hold, done };
}

/** What whoever takes the task must know, if a person has set it back. */
export function undoneNumber(hold: Hold | undefined): { readonly undone?: number } {
  return hold?.done === 'undone' ? { undone: hold.n } : {};
}

type HoldSight = Pick<CrewPorts, 'registers' | 'livenessOf'> & DoneSight;

/** What the registers say of the tasks that the plan's file does not call complete. Tasks that nobody ever had are left out. */
export async function readHolds(crew: HoldSight, planPath: string, plan: Plan): Promise<ReadonlyMap<string, Hold>> {
  const open = plan.tasks.filter(({ status }) => status !== 'complete');
  const names = new Map(open.map(({ id }) => [registerName(planPath, id), id]));
  const livenessOf = askedOnce(crew.livenessOf);
  const holds = new Map<string, Hold>();
  for (const [name, register] of await crew.registers.getMany([...names.keys()])) {
    const id = names.get(name);
    if (id !== undefined) holds.set(id, holdOf(register, livenessOf));
  }
  return await withWhatIsUndone(crew, holds);
}

/** A crew of one process may hold hundreds of tasks: whether it lives is one question. */
function askedOnce(livenessOf: CrewPorts['livenessOf']): CrewPorts['livenessOf'] {
  const answers = new Map<string, ReturnType<CrewPorts['livenessOf']>>();
  return (process) => {
    const { host, boot_id, pid, start_time } = process;
    const who = `${pid} ${start_time} ${boot_id} ${host}`;
    const answer = answers.get(who) ?? livenessOf(process);
    answers.set(who, answer);
    return answer;
  };
}
