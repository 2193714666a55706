import { taskSlug } from '../graph/task-slug.ts';
import type { CrewPorts } from '../../engine/ports/ports.ts';
import { type HoldAnswer, type HoldWish, holdTask, letGo } from './hold-task.ts';

/**
 * Holds a task unless its work is on the base already: a run may die after it has merged, before it could say so. Then the one who takes
 * over says it, and the task counts as taken.
 */
export async function holdUnmerged(crew: Pick<CrewPorts, 'registers' | 'livenessOf' | 'branches'>, wish: HoldWish): Promise<HoldAnswer> {
  const answer = await holdTask(crew, wish);
  if (answer.kind === 'taken' || answer.register?.state !== 'held') return answer;
  const base = await mergedAs(crew, wish.task, answer.n);
  if (base === null) return answer;
  const done = { ...answer.held, state: 'done' as const, base, feedback: '' };
  await letGo(crew, { planPath: wish.planPath, task: wish.task, n: answer.n, ...done });
  return { kind: 'taken', by: { n: answer.n + 1, register: done, liveness: 'alive' } };
}

/** By the one before, or by an earlier one, if that one died too before it could say so. */
async function mergedAs({ branches }: Pick<CrewPorts, 'branches'>, task: string, n: number): Promise<string | null> {
  for (let earlier = n - 1; earlier > 0; earlier -= 1) {
    const commit = await branches.merged(taskSlug(task), earlier);
    if (commit !== null) return commit;
  }
  return null;
}
