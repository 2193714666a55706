import { registerName } from '../graph/register-name.ts';
import type { Hold } from '../graph/select-task.ts';
import type { Holder, TaskRegister } from '../../journal/words/task-register.ts';
import type { CrewPorts } from '../../engine/ports/ports.ts';
import { holdOf, mayBeTaken } from './hold-of.ts';
import { leftBranch } from './left-branch.ts';

export interface HoldWish {
  readonly planPath: string;
  readonly task: string;
  readonly holder: Holder;
  /** The effect that asks, so that it finds its hold again; empty for people. */
  readonly key: string;
  readonly nowMs: number;
  /** The number under which it was found done, and set back by a person since. */
  readonly undone?: number;
}

export type HoldAnswer =
  /** `register` is the one before it, `held` the one that was put: it passes on what the earlier ones left. */
  | { readonly kind: 'held'; readonly n: number; readonly register: TaskRegister | null; readonly held: TaskRegister }
  | { readonly kind: 'taken'; readonly by: Hold };

/**
 * Takes a task that nobody has, or whose holder is dead. Of all who try at once one gets it. Each change of hands is the next number,
 * so that an earlier holder who is not as dead as it looked can no longer say anything about the task.
 */
export async function holdTask(crew: Pick<CrewPorts, 'registers' | 'livenessOf'>, wish: HoldWish): Promise<HoldAnswer> {
  const name = registerName(wish.planPath, wish.task);
  for (;;) {
    const found = await crew.registers.get(name);
    const before = found === null ? null : believed(holdOf(found, crew.livenessOf), wish);
    if (before !== null && !mayBeTaken(before)) return { kind: 'taken', by: before };
    const n = (before?.n ?? 0) + 1;
    const held = heldBy(wish, before);
    if ((await crew.registers.put(name, n, held)) === 'put') return { kind: 'held', n, register: before?.register ?? null, held };
  }
}

/** Only under that very number: whoever has done it since has done it. */
function believed(hold: Hold, { undone }: HoldWish): Hold {
  return hold.n === undone ? { ...hold, done: 'undone' } : hold;
}

function heldBy({ task, holder, key, nowMs }: HoldWish, before: Hold | null): TaskRegister {
  return {
    state: 'held',
    holder,
    key,
    at: nowMs,
    branch: before === null ? null : leftBranch(task, before),
    base: before?.register?.base ?? null,
    tries: before?.register?.tries ?? 0,
    feedback: before?.register?.feedback ?? '',
  };
}

export type LetGoWish = TaskRegister & {
  readonly planPath: string;
  readonly task: string;
  /** The number it is held by. */
  readonly n: number;
};

/** Says what became of a held task. False, and nothing is changed, when it has changed hands since: then it is not ours to say. */
export async function letGo(crew: Pick<CrewPorts, 'registers'>, { planPath, task, n, ...register }: LetGoWish): Promise<boolean> {
  return (await crew.registers.put(registerName(planPath, task), n + 1, register)) === 'put';
}
