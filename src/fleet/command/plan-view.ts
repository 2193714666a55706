import { join } from 'node:path';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { findPlan } from '../../plans/find/find-plan.ts';
import { countTasks, standingOf } from '../../plans/graph/select-task.ts';
import { missingLabels } from '../../plans/graph/standing.ts';
import { readHolds } from '../../plans/holds/hold-of.ts';
import { openPlanStore } from '../../plans/open-plan-store.ts';
import type { FleetView, LeftTask } from '../../report/views/fleet-view.ts';
import type { Database } from '../../store/postgres/open-database.ts';
import { leftTask } from '../fleet-view.ts';
import { registersOf } from '../join-fleet.ts';
import type { FleetClone } from '../open-fleet.ts';

/** A plan as this clone has it, and its tasks as the store has them. */
export interface PlanView {
  readonly plan: string;
  readonly base: string;
  /** Why it cannot be read here. */
  readonly problem: string | null;
  readonly counts: { readonly total: number; readonly complete: number; readonly in_progress: number; readonly ready: number } | null;
  readonly held: readonly { readonly task: string; readonly holder: string | null; readonly alive: boolean }[];
  /** What waits for a person. */
  readonly left: readonly LeftTask[];
  /** The ready tasks that nobody at work can take, and what they ask for. */
  readonly unfit: readonly { readonly task: string; readonly runs_on: readonly string[] }[];
}

interface Seen {
  readonly database: Database;
  readonly fleet: string;
  readonly clone: FleetClone;
  /** Those at work. */
  readonly workers: FleetView['workers'];
}

export async function lookAtPlan(
  { path, base }: { readonly path: string; readonly base: string },
  { database, fleet, clone, workers }: Seen,
): Promise<PlanView> {
  const nothing = { plan: path, base, counts: null, held: [], left: [], unfit: [] };
  try {
    const place = await findPlan(clone.topLevel, join(clone.topLevel, path));
    const reading = await openPlanStore({ ...place, top: clone.topLevel, cacheFolder: null }).read();
    if (!reading?.plan) return { ...nothing, problem: 'it cannot be read in this clone' };
    const holds = await readHolds(registersOf(database, fleet), path, reading.plan);
    const standings = standingOf(reading.plan, holds);
    const { total, complete, in_progress } = countTasks(reading.plan.tasks, standings);
    const inState = (wanted: readonly string[]) => [...standings].filter(([, state]) => wanted.includes(state));
    return {
      ...{ plan: path, base, problem: null },
      counts: { total, complete, in_progress, ready: inState(['ready']).length },
      held: [...holds].flatMap(([task, { register, liveness }]) =>
        register?.state === 'held' ? [{ task, holder: register.holder?.name ?? null, alive: liveness !== 'dead' }] : [],
      ),
      left: inState(['failed', 'conflict', 'parked']).map(([task, state]) => leftTask(task, state, holds.get(task)?.register ?? null)),
      unfit: reading.plan.tasks.flatMap((task) =>
        standings.get(task.id) === 'ready' && task.runs_on !== undefined && workers.every((worker) => missingLabels(task, worker).length > 0)
          ? [{ task: task.id, runs_on: task.runs_on }]
          : [],
      ),
    };
  } catch (error) {
    if (!(error instanceof OperatorError) || error.code.startsWith('store')) throw error;
    return { ...nothing, problem: error.message };
  }
}
