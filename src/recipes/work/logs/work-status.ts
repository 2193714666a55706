import { dirname } from 'node:path';
import type { RunStatus } from '../../../runs/run-status.ts';
import { type Heartbeat, readHeartbeat } from './heartbeat.ts';
import type { LogEntry } from './log-entry.ts';
import { type PlanNow, planNow } from './plan-now.ts';
import { lastEntries } from './tail-log.ts';

/** What is to be known of a run on a plan beside the run itself. */
export interface WorkStatus {
  readonly heartbeat: Heartbeat;
  readonly last_entries: readonly LogEntry[];
  readonly plan_now: PlanNow;
}

const ENTRIES = 5;

/** Null for every other run. Readers never write. */
export async function workStatus({ work, run_folder }: RunStatus, nowMs: number): Promise<WorkStatus | null> {
  if (!work) return null;
  return {
    heartbeat: readHeartbeat(work.logs, nowMs),
    last_entries: await lastEntries(work.logs, ENTRIES),
    // `<shared>/runs/<run>`
    plan_now: await planNow(work, dirname(dirname(run_folder)), nowMs),
  };
}
