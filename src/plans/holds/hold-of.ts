import type { Hold } from '../graph/select-task.ts';
import { TaskRegister } from '../../journal/words/task-register.ts';
import type { CrewPorts } from '../../engine/ports/ports.ts';
import type { Register } from '../../engine/ports/registers.ts';

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
