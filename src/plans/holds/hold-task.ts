import type { WorkPorts } from '../../engine/ports/ports.ts';
import type { AnsweredQuestion } from '../../journal/words/claim.ts';
import type { Holder, TaskRegister } from '../../journal/words/task-register.ts';
import type { Hold } from '../graph/select-task.ts';
import { registerName } from '../graph/standing.ts';
import { taskSlug } from '../graph/task-slug.ts';
import { holdOf, leftBranch, mayBeTaken } from './hold-of.ts';

export interface HoldRequest {
  readonly planPath: string;
  readonly task: string;
  readonly holder: Holder;
  /** The effect that asks, so that it finds its hold after a crash; empty for people. */
  readonly key: string;
  readonly nowMs: number;
  /** The number under which it was found done, where a person has set it back since. */
  readonly undone?: number;
}

export type HoldAnswer =
  /** `register` is the previous one; `held` is the new one, which passes on what earlier holders left. */
  | { readonly kind: 'held'; readonly n: number; readonly register: TaskRegister | null; readonly held: TaskRegister }
  | { readonly kind: 'taken'; readonly by: Hold };

/**
 * Takes a task that nobody holds, or whose holder is dead. If several try at once, one gets it. Each change of hands uses the next number, so that an earlier
 * holder that is still alive after all can no longer change anything about the task.
 */
export async function holdTask(ports: Pick<WorkPorts, 'registers' | 'livenessOf'>, request: HoldRequest): Promise<HoldAnswer> {
  const name = registerName(request.planPath, request.task);
  for (;;) {
    const found = await ports.registers.get(name);
    const before = found === null ? null : asFound(holdOf(found, ports.livenessOf), request);
    if (before !== null && !mayBeTaken(before)) return { kind: 'taken', by: before };
    const n = (before?.n ?? 0) + 1;
    const held = heldBy(request, before);
    if ((await ports.registers.put(name, n, held)) === 'put') return { kind: 'held', n, register: before?.register ?? null, held };
  }
}

/** Only under that number: a later result counts. */
function asFound(hold: Hold, { undone }: HoldRequest): Hold {
  return hold.n === undone ? { ...hold, done: 'undone' } : hold;
}

function heldBy({ task, holder, key, nowMs }: HoldRequest, before: Hold | null): TaskRegister {
  return {
    state: 'held',
    holder,
    key,
    at: nowMs,
    branch: before === null ? null : leftBranch(task, before),
    base: before?.register?.base ?? null,
    tries: before?.register?.tries ?? 0,
    feedback: before?.register?.feedback ?? '',
    ...(before?.register?.claim && { claim: before.register.claim }),
    ...(before?.register?.answers && { answers: before.register.answers }),
  };
}

export type ReleaseRequest = TaskRegister & {
  readonly planPath: string;
  readonly task: string;
  /** The number it is held under. */
  readonly n: number;
};

/** Records the result of a held task. False, without a change, when somebody else has taken the task since. */
export async function releaseHold(ports: Pick<WorkPorts, 'registers'>, { planPath, task, n, ...register }: ReleaseRequest): Promise<boolean> {
  return (await ports.registers.put(registerName(planPath, task), n + 1, register)) === 'put';
}

interface OwnHold {
  readonly n: number;
  readonly register: TaskRegister;
}

/** Renews a hold of this run under the next number, for the current process. Null: somebody else was faster. */
export async function renewHold(
  ports: Pick<WorkPorts, 'registers' | 'process'>,
  name: string,
  { n, register }: OwnHold,
): Promise<{ readonly n: number; readonly held: TaskRegister } | null> {
  if (register.holder === null) return null;
  const held = { ...register, holder: { ...register.holder, process: ports.process } };
  return (await ports.registers.put(name, n + 1, held)) === 'put' ? { n: n + 1, held } : null;
}

/**
 * Holds a task unless its work is already on the base. A run may die after a merge and before it records that. Then the next one records it, and the task
 * counts as taken.
 */
export async function holdUnmerged(ports: Pick<WorkPorts, 'registers' | 'livenessOf' | 'branches'>, request: HoldRequest): Promise<HoldAnswer> {
  const answer = await holdTask(ports, request);
  if (answer.kind === 'taken') return answer;
  // Elsewhere somebody whom nobody can reach may still work on it, under any earlier number: whoever should have fenced the one before may have died.
  if (answer.n > 1) await ports.branches.shared?.fence(taskSlug(request.task), answer.n - 1);
  const base = wasInDoubt(answer.register) ? await mergedAs(ports, request.task, answer) : null;
  if (base === null) return answer;
  const { claim: _, ...held } = answer.held;
  const done = { ...held, state: 'done' as const, base, feedback: '' };
  await releaseHold(ports, { planPath: request.planPath, task: request.task, n: answer.n, ...done });
  return { kind: 'taken', by: { n: answer.n + 1, register: done, liveness: 'alive' } };
}

/** Its last holder has not said what came of it: it died, or a person has reset the task. */
function wasInDoubt(register: TaskRegister | null): boolean {
  return register?.state === 'held' || (register?.state === 'free' && register.key === '');
}

/** Merged by the previous holder, or by an earlier one if the previous one also died before recording it. A result that a person wants again does not count. */
async function mergedAs(
  { branches }: Pick<WorkPorts, 'branches'>,
  task: string,
  { n, held }: { readonly n: number; readonly held: TaskRegister },
): Promise<string | null> {
  for (let earlier = n - 1; earlier > 0; earlier -= 1) {
    const commit = await branches.merged(taskSlug(task), earlier);
    if (commit !== null) return commit === held.base ? null : commit;
  }
  return null;
}

interface ResetWish {
  readonly planPath: string;
  readonly task: string;
  readonly nowMs: number;
}

/**
 * Frees a task whoever holds it, also when its register cannot be read. The work done so far and the feedback stay; the count of tries starts again. Returns
 * the previous state; null when there was nothing to free.
 */
export async function resetTask(ports: Pick<WorkPorts, 'registers' | 'livenessOf'>, { planPath, task, nowMs }: ResetWish): Promise<Hold | null> {
  const name = registerName(planPath, task);
  for (;;) {
    const found = await ports.registers.get(name);
    if (found === null) return null;
    const before = holdOf(found, ports.livenessOf);
    const { holder = null, base = null, feedback = '', answers } = before.register ?? {};
    const free = { state: 'free', holder, key: '', at: nowMs, branch: leftBranch(task, before), base, tries: 0, feedback, ...(answers && { answers }) };
    if ((await ports.registers.put(name, found.n + 1, free)) === 'put') return before;
  }
}

interface AllowWish extends ResetWish {
  readonly by: string;
}

/** Allows the held claim of a parked task: the next worker only has to merge it. Null, without a change, when it is not parked. */
export async function allowTask(ports: Pick<WorkPorts, 'registers' | 'livenessOf'>, { planPath, task, nowMs, by }: AllowWish): Promise<TaskRegister | null> {
  const name = registerName(planPath, task);
  for (;;) {
    const found = await ports.registers.get(name);
    const register = found === null ? null : holdOf(found, ports.livenessOf).register;
    if (found === null || register?.state !== 'parked' || register.claim === undefined) return null;
    const allowed = { ...register, state: 'free' as const, key: '', at: nowMs, claim: { ...register.claim, allowed: { by, at: nowMs } } };
    if ((await ports.registers.put(name, found.n + 1, allowed)) === 'put') return allowed;
  }
}

interface AnswerWish extends ResetWish {
  /** The number under which the task is parked with its question. */
  readonly n: number;
  /** The effect that asks for it. */
  readonly key: string;
  readonly answers: readonly AnsweredQuestion[];
}

/**
 * Frees a task that waits for a person: it failed, cannot be merged, is held, or asks. Its count of tries starts again, and its claim is forgotten. False, without a
 * change, when it waits for nobody.
 */
export async function retryTask(
  ports: Pick<WorkPorts, 'registers' | 'livenessOf'>,
  { planPath, task, key, nowMs, answers }: Omit<AnswerWish, 'n'>,
): Promise<boolean> {
  const name = registerName(planPath, task);
  for (;;) {
    const found = await ports.registers.get(name);
    const register = found === null ? null : holdOf(found, ports.livenessOf).register;
    if (found === null || register === null || !WAITING.has(register.state)) return false;
    const { question: _, claim: __, ...kept } = register;
    const told = [...(register.answers ?? []), ...answers.filter(({ answer }) => !register.answers?.some((known) => known.answer === answer))];
    const free = { ...kept, state: 'free' as const, key, at: nowMs, tries: 0, ...(told.length > 0 && { answers: told }) };
    if ((await ports.registers.put(name, found.n + 1, free)) === 'put') return true;
  }
}

const WAITING: ReadonlySet<TaskRegister['state']> = new Set(['failed', 'conflict', 'parked']);

/** Frees a task that is parked with a question, with the answers for its next holder. False, without a change, when its register has changed since. */
export async function answerTask(ports: Pick<WorkPorts, 'registers' | 'livenessOf'>, { planPath, task, n, key, nowMs, answers }: AnswerWish): Promise<boolean> {
  const name = registerName(planPath, task);
  const found = await ports.registers.get(name);
  const register = found === null ? null : holdOf(found, ports.livenessOf).register;
  if (found?.n !== n || register?.state !== 'parked' || register.question === undefined) return false;
  const { question: _, ...kept } = register;
  return (await ports.registers.put(name, n + 1, { ...kept, state: 'free' as const, key, at: nowMs, answers: [...answers] })) === 'put';
}
