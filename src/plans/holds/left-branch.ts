import type { Hold } from '../graph/select-task.ts';
import { taskBranch } from '../graph/task-slug.ts';

/** The branch that holds what was done so far. A run that still has the task, or died with it, works on the branch that bears its number. */
export function leftBranch(task: string, { n, register }: Hold): string | null {
  const run = register?.holder?.run ?? null;
  return register?.state === 'held' && run !== null ? taskBranch(task, n) : (register?.branch ?? null);
}
