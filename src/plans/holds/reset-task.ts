import { registerName } from '../graph/register-name.ts';
import type { Hold } from '../graph/select-task.ts';
import type { CrewPorts } from '../../engine/ports/ports.ts';
import { holdOf } from './hold-of.ts';
import { leftBranch } from './left-branch.ts';

interface ResetWish {
  readonly planPath: string;
  readonly task: string;
  readonly nowMs: number;
}

/**
 * Frees a task whoever has it, also when its register cannot be read. What was done so far, and what the next one is told, stays; the
 * count of its tries begins anew. Gives what it was before; null when there was nothing to free.
 */
export async function resetTask(crew: Pick<CrewPorts, 'registers' | 'livenessOf'>, { planPath, task, nowMs }: ResetWish): Promise<Hold | null> {
  const name = registerName(planPath, task);
  for (;;) {
    const found = await crew.registers.get(name);
    if (found === null) return null;
    const before = holdOf(found, crew.livenessOf);
    const { holder = null, base = null, feedback = '' } = before.register ?? {};
    const free = { state: 'free', holder, key: '', at: nowMs, branch: leftBranch(task, before), base, tries: 0, feedback };
    if ((await crew.registers.put(name, found.n + 1, free)) === 'put') return before;
  }
}
