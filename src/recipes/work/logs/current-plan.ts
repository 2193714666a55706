import { join } from 'node:path';
import type { Plan } from '../../../journal/words/plan.ts';
import { countStandings, readyTasks, type StaleTask, type StandingCounts, staleTasks } from '../../../plans/graph/plan-summary.ts';
import { standingOf } from '../../../plans/graph/select-task.ts';
import type { Hold } from '../../../plans/graph/standing.ts';
import { readHolds } from '../../../plans/holds/hold-of.ts';
import { openPlanStore } from '../../../plans/open-plan-store.ts';
import { livenessOf } from '../../../process/identity.ts';
import type { WorkView } from '../../../report/views/work-view.ts';
import { openFileRegisters } from '../../../store/registers-files.ts';

/** A plan and the holders of its tasks, runs or people. */
export interface CurrentPlan {
  /** Why it cannot be read, or its first problem; null when all is well. */
  readonly problem: string | null;
  readonly counts: StandingCounts | null;
  readonly held: readonly HeldTask[];
  readonly ready: readonly { readonly task: string; readonly title: string }[];
  /** Held longer than expected. */
  readonly stale: readonly StaleTask[];
  /** Nobody takes these before a person has looked at them. */
  readonly left: readonly { readonly task: string; readonly state: 'failed' | 'conflict' | 'parked' }[];
}

export interface HeldTask {
  readonly task: string;
  readonly holder: string | null;
  readonly run: string | null;
  readonly lane: number | null;
  /** `unreadable`: its register is damaged. `outside`: only the plan's file says so. */
  readonly liveness: Hold['liveness'] | 'unreadable' | 'outside';
  /** Epoch ms; null when unknown. */
  readonly since: number | null;
  readonly n: number | null;
}

const NOTHING = { counts: null, held: [], ready: [], stale: [], left: [] };

/** Read-only. `shared` is ralph's folder in the git folder, which all worktrees share. */
export async function currentPlan(work: WorkView, shared: string, nowMs: number): Promise<CurrentPlan> {
  // Without a cache: a reader writes nothing.
  const store = openPlanStore({ kind: work.plan_kind, path: work.plan, top: work.home, cacheFolder: null });
  const reading = await store.read().catch((error: Error) => error);
  if (reading instanceof Error) return { problem: reading.message, ...NOTHING };
  if (reading === null) return { problem: `${work.plan} is not there`, ...NOTHING };
  const [first] = reading.problems;
  const problem = first === undefined ? null : `${first.file}${first.line === null ? '' : `:${first.line}`}: ${first.message}`;
  if (reading.plan === null) return { problem: problem ?? `${work.plan} cannot be read`, ...NOTHING };
  return { problem, ...(await tasksOf(reading.plan, work, shared, nowMs)) };
}

async function tasksOf(plan: Plan, work: WorkView, shared: string, nowMs: number): Promise<Omit<CurrentPlan, 'problem'>> {
  const workPorts = {
    registers: openFileRegisters(join(shared, 'registers')),
    livenessOf: (process: { host: string; boot_id: string; pid: number; start_time: string }) =>
      livenessOf({ host: process.host, bootId: process.boot_id, pid: process.pid, startTime: process.start_time }),
  };
  const holds = await readHolds(workPorts, work.plan, plan);
  const standings = standingOf(plan, holds);
  const filter = { story: work.story, milestone: work.milestone, tags: [...work.tags] };
  const left = [...standings].flatMap(([task, state]) => (state === 'failed' || state === 'conflict' || state === 'parked' ? [{ task, state }] : []));
  return {
    counts: countStandings(standings),
    held: [...standings].flatMap(([task, state]) => (state === 'held' ? [heldTask(task, holds.get(task))] : [])),
    ready: readyTasks(plan, standings, filter).map(({ id, title }) => ({ task: id, title })),
    stale: staleTasks(plan, holds, nowMs),
    left,
  };
}

function heldTask(task: string, hold: Hold | undefined): HeldTask {
  if (hold === undefined) return { task, holder: null, run: null, lane: null, liveness: 'outside', since: null, n: null };
  const { register, n } = hold;
  if (register === null) return { task, holder: null, run: null, lane: null, liveness: 'unreadable', since: null, n };
  const { holder, at } = register;
  return { task, holder: holder?.name ?? null, run: holder?.run ?? null, lane: holder?.lane ?? null, liveness: hold.liveness, since: at, n };
}
