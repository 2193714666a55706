import type { TaskRegister } from '../../journal/words/task-register.ts';
import type { CrewPorts } from '../../engine/ports/ports.ts';

interface OwnHold {
  readonly n: number;
  readonly register: TaskRegister;
}

/** Puts a hold of ours again, under the next number, for the process that lives. Null: somebody was faster. */
export async function rehold(
  crew: Pick<CrewPorts, 'registers' | 'process'>,
  name: string,
  { n, register }: OwnHold,
): Promise<{ readonly n: number; readonly held: TaskRegister } | null> {
  if (register.holder === null) return null;
  const held = { ...register, holder: { ...register.holder, process: crew.process } };
  return (await crew.registers.put(name, n + 1, held)) === 'put' ? { n: n + 1, held } : null;
}
