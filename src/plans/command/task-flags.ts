import { surroundings } from '../../process/surroundings.ts';
import type { TaskFilter } from '../../journal/words/plan.ts';
import { environment } from '../../sandbox/environment/environment.ts';
import { explaining } from '../../kit/files/explaining.ts';
import { openTasks, type Tasks } from '../tasks/open-tasks.ts';
import type { Standpoint } from '../tasks/work-tree.ts';
import { currentDirectory } from '../../cli/shared/current-directory.ts';

/** What every command about tasks understands. */
export interface TaskFlags {
  readonly plan?: string;
  readonly json?: boolean;
}

export interface FilterFlags {
  readonly story?: string;
  readonly milestone?: string;
  readonly tag?: readonly string[];
}

/** Does something with the tasks of the plan that is meant. What the system refuses is told in one line. */
export function withTasks<T>(flags: TaskFlags, work: (tasks: Tasks) => Promise<T>): Promise<T> {
  return fromHere(flags, async (open) => await work(await open()));
}

/** The same for who may not need them. */
export function fromHere<T>({ plan }: TaskFlags, work: (open: () => Promise<Tasks>, standpoint: Standpoint) => Promise<T>): Promise<T> {
  return explaining(async () => {
    const standpoint = { cwd: currentDirectory(), env: environment() };
    return await work(() => openTasks(plan ?? null, standpoint), standpoint);
  });
}

export function filterOf({ story, milestone, tag }: FilterFlags): TaskFilter {
  return { story: story ?? null, milestone: milestone ?? null, tags: [...(tag ?? [])] };
}

/** One JSON object, or lines for people. */
export function tell({ json }: TaskFlags, object: object, lines: readonly string[]): void {
  surroundings().stdout.write(json ? `${JSON.stringify(object)}\n` : lines.map((line) => `${line}\n`).join(''));
}
