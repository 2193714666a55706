import type { Plan, PlanTask, TaskFilter, TaskStatus } from '../../journal/words/plan.ts';
import { admits } from './select-task.ts';
import type { Hold, Holds, Standing, Standings } from './standing.ts';

/** After this long a held task is reported as stale; it is not taken from its holder (seed 000). */
const STALE_AFTER_MS = 2 * 60 * 60 * 1000;

export type StandingCounts = Readonly<Record<Standing, number>>;

export interface StaleTask {
  readonly id: string;
  readonly holder: string | null;
  readonly heldMs: number;
}

export interface StoryStatus {
  readonly id: string;
  readonly title: string;
  readonly status: TaskStatus;
  readonly total: number;
  readonly complete: number;
}

/** A state in the words of the plan's file. A failed task is in progress until a person has looked at it (seed 000). */
export const statusOfStanding = {
  complete: 'complete',
  held: 'in-progress',
  failed: 'in-progress',
  conflict: 'in-progress',
  parked: 'in-progress',
  blocked: 'blocked',
  waiting: 'pending',
  ready: 'ready',
} as const satisfies Record<Standing, TaskStatus>;

/** How many tasks are in each state. */
export function countStandings(standings: Standings): StandingCounts {
  const counts = { complete: 0, held: 0, failed: 0, conflict: 0, parked: 0, blocked: 0, waiting: 0, ready: 0 };
  for (const standing of standings.values()) counts[standing] += 1;
  return counts;
}

/** The status of a story or milestone, derived from its tasks. Without any it is pending. */
function derivedStatus(tasks: readonly TaskStatus[]): TaskStatus {
  if (tasks.length > 0 && tasks.every((status) => status === 'complete')) return 'complete';
  if (tasks.includes('in-progress')) return 'in-progress';
  return tasks.includes('blocked') ? 'blocked' : 'pending';
}

/** Every story with its status: those the plan lists, then those that only tasks name. */
export function storyStatuses(plan: Plan, standings: Standings): readonly StoryStatus[] {
  const tasksOf = new Map<string, TaskStatus[]>(plan.stories.map(({ id }) => [id, []]));
  for (const { id, story } of plan.tasks) {
    if (story === null) continue;
    const tasks = tasksOf.get(story) ?? [];
    tasks.push(statusOfStanding[standings.get(id) ?? 'waiting']);
    tasksOf.set(story, tasks);
  }
  const titles = new Map(plan.stories.map(({ id, title }) => [id, title]));
  return [...tasksOf].map(([id, tasks]) => ({
    id,
    title: titles.get(id) ?? '',
    status: derivedStatus(tasks),
    total: tasks.length,
    complete: tasks.filter((status) => status === 'complete').length,
  }));
}

/** The tasks that could be taken now, in the order in which they would be. */
export function readyTasks(plan: Plan, standings: Standings, filter: TaskFilter): readonly PlanTask[] {
  return plan.tasks.filter((task) => standings.get(task.id) === 'ready' && admits(task, filter)).toSorted((a, b) => a.priority - b.priority);
}

/** How long a task has been held; null: it is not, or that is unknown. A dead holder's task is simply taken by the next worker. */
function heldForMs(hold: Hold | undefined, nowMs: number): number | null {
  if (hold?.register?.state !== 'held' || hold.liveness === 'dead') return null;
  return Math.max(0, nowMs - hold.register.at);
}

/** The tasks that are held for suspiciously long, in the order of the plan. */
export function staleTasks(plan: Plan, holds: Holds, nowMs: number): readonly StaleTask[] {
  return plan.tasks.flatMap(({ id }) => {
    const hold = holds.get(id);
    const heldMs = heldForMs(hold, nowMs);
    return heldMs === null || heldMs <= STALE_AFTER_MS ? [] : [{ id, holder: hold?.register?.holder?.name ?? null, heldMs }];
  });
}
