import type { TaskNone, TaskTaken } from '../../journal/events/work.ts';
import type { NothingReason, Plan, PlanTask, TaskFilter } from '../../journal/words/plan.ts';
import { type Obstacles, obstacleText } from './obstacle-text.ts';
import { type Hold, type Holds, missingLabels, type Standing, type Standings } from './standing.ts';

export type { Hold, Standing } from './standing.ts';

export type TaskCounts = Readonly<TaskNone['counts']>;

export interface Nothing {
  readonly kind: 'nothing';
  readonly reason: NothingReason;
  /** Whether a living run holds any task of the plan, so that more may become ready without help. */
  readonly held: boolean;
  readonly counts: TaskCounts;
  /** One line for people. */
  readonly detail: string;
}

export type Selection = { readonly kind: 'task'; readonly task: PlanTask } | Nothing;

/** Whether a task matches the filter: its story, its milestone, and all its tags. */
export function admits(task: PlanTask, filter: TaskFilter): boolean {
  if (filter.story !== null && task.story !== filter.story) return false;
  if (filter.milestone !== null && !task.milestones.includes(filter.milestone)) return false;
  return filter.tags.every((tag) => task.tags.includes(tag));
}

/** The state of every task, in the order of the plan. Linear in tasks and needs. */
export function standingOf(plan: Plan, holds: Holds): Standings {
  const complete = new Set<string>();
  for (const task of plan.tasks) if (isComplete(task, holds.get(task.id))) complete.add(task.id);
  const standings = new Map<string, Standing>();
  for (const task of plan.tasks) standings.set(task.id, complete.has(task.id) ? 'complete' : openStanding(task, holds.get(task.id), complete));
  return standings;
}

/** A checkout that could not follow the base has an outdated file; the register is right. */
function isComplete(task: PlanTask, hold: Hold | undefined): boolean {
  return task.status === 'complete' || (hold?.register?.state === 'done' && (hold.done ?? 'here') === 'here');
}

/** Ralph never writes `in-progress` into a plan, so somebody else who did holds the task. */
function openStanding(task: PlanTask, hold: Hold | undefined, complete: ReadonlySet<string>): Standing {
  const byRegister = hold === undefined ? null : registeredStanding(hold);
  if (byRegister !== null) return byRegister;
  if (task.status === 'blocked') return 'blocked';
  if (task.status === 'in-progress') return 'held';
  return task.needs.every((need) => complete.has(need)) ? 'ready' : 'waiting';
}

/** Null: its register does not prevent anybody from taking it. */
function registeredStanding({ register, liveness, done }: Hold): Standing | null {
  if (register === null) return 'held';
  const { state } = register;
  if (state === 'failed' || state === 'conflict' || state === 'parked') return state;
  if (done === 'elsewhere') return 'blocked';
  return state === 'held' && liveness !== 'dead' ? 'held' : null;
}

/** The next task: ready, admitted, for a worker with these labels, with the lowest priority number, then the first in the plan. Otherwise the reason why there is none. */
export function selectTask(plan: Plan, holds: Holds, filter: TaskFilter): Selection {
  const standings = standingOf(plan, holds);
  const admitted = plan.tasks.filter((task) => admits(task, filter));
  let best: PlanTask | null = null;
  for (const task of admitted) {
    if (standings.get(task.id) !== 'ready' || missingLabels(task, filter).length > 0) continue;
    if (best === null || task.priority < best.priority) best = task;
  }
  return best === null ? nothing({ plan, holds, standings, admitted, filter }) : { kind: 'task', task: best };
}

function nothing(looked: Obstacles): Nothing {
  const { plan, holds, standings, admitted } = looked;
  const counts = countTasks(admitted, standings);
  const asking = admitted.filter(({ id }) => standings.get(id) === 'parked' && holds.get(id)?.register?.question !== undefined).length;
  return {
    kind: 'nothing',
    reason: reasonFor(plan, counts),
    held: plan.tasks.some((task) => isHeldByARun(holds.get(task.id))),
    counts: asking === 0 ? counts : { ...counts, asking },
    detail: obstacleText(looked),
  };
}

function reasonFor(plan: Plan, counts: TaskCounts): NothingReason {
  if (plan.tasks.length === 0) return 'empty';
  if (counts.total === 0) return 'none-match';
  if (counts.complete === counts.total) return 'all-complete';
  return counts.in_progress > 0 ? 'all-claimed' : 'all-blocked';
}

/** The number of tasks in each group. Waiting and parked tasks count as blocked, conflicts as failed; ready tasks are only in the total. */
export function countTasks(tasks: readonly PlanTask[], standings: Standings): TaskCounts {
  const counts = { total: tasks.length, complete: 0, in_progress: 0, blocked: 0, failed: 0 };
  let parked = 0;
  for (const task of tasks) {
    const standing = standings.get(task.id) ?? 'ready';
    if (standing !== 'ready') counts[countOf[standing]] += 1;
    if (standing === 'parked') parked += 1;
  }
  return parked === 0 ? counts : { ...counts, parked };
}

/** How many tasks there are, how many are complete, and how many can still be done without a person. */
export function taskTotals(plan: Plan, holds: Holds, filter: TaskFilter): Required<Pick<TaskTaken, 'open' | 'total' | 'complete'>> {
  const standings = standingOf(plan, holds);
  const all = plan.tasks.filter((task) => admits(task, filter)).map(({ id }) => standings.get(id) ?? 'ready');
  const count = (...some: readonly Standing[]) => all.filter((standing) => some.includes(standing)).length;
  return { open: count('ready', 'waiting', 'held'), total: all.length, complete: count('complete') };
}

const countOf = {
  complete: 'complete',
  held: 'in_progress',
  failed: 'failed',
  conflict: 'failed',
  parked: 'blocked',
  blocked: 'blocked',
  waiting: 'blocked',
} as const;

function isHeldByARun(hold: Hold | undefined): boolean {
  if (hold?.register?.state !== 'held' || hold.register.holder === null || hold.register.holder.process === null) return false;
  return hold.liveness === 'alive' || hold.liveness === 'unknown';
}
