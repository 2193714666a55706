import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { StopReason } from '../../journal/words/outcome.ts';
import type { RunSummary, RunSummaryOrProblem } from '../../store/runs/run-summary.ts';

/**
 * `dead`: its process ended without recording an outcome. `waiting`: it stopped until somebody outside does something. `unknown`: it may
 * be running on a machine we cannot see. `unreadable`: its folder tells nothing.
 */
export type RunStateName = 'running' | 'dead' | 'done' | 'waiting' | 'failed' | 'interrupted' | 'unknown' | 'unreadable';

export interface RunStateNow {
  readonly state: RunStateName;
  /** False for a run that died after its work was done: a resume or a new start will record that, a reader never does. */
  readonly isRecorded: boolean;
}

const STATE_OF: Readonly<Record<StopReason, RunStateName>> = {
  all_checks_passed: 'done',
  completed: 'done',
  waiting: 'waiting',
  held: 'waiting',
  blocked: 'waiting',
  interrupted: 'interrupted',
  max_iterations: 'failed',
  budget_exhausted: 'failed',
  timeout: 'failed',
  max_restarts: 'failed',
  stuck: 'failed',
  rate_limited: 'failed',
  dead_gate: 'failed',
  sealed_red: 'waiting',
  fatal: 'failed',
};

/** Computed from the process table and the task folder as they are now. */
export function runStateOf(sight: RunSummaryOrProblem): RunStateNow {
  if (sight.kind === 'unreadable') return { state: 'unreadable', isRecorded: true };
  if (sight.stopped !== null) return { state: STATE_OF[sight.stopped.stop_reason], isRecorded: true };
  if (sight.liveness === 'alive') return { state: 'running', isRecorded: true };
  if (sight.liveness === 'unknown') return { state: 'unknown', isRecorded: true };
  return isDoneUnrecorded(sight) ? { state: 'done', isRecorded: false } : { state: 'dead', isRecorded: true };
}

/** With gates configured, DONE alone proves nothing: nobody ran them. */
function isDoneUnrecorded({ recipe, task, gates }: RunSummary): boolean {
  if (recipe !== 'supervise' || task === null || gates > 0) return false;
  return lstatSync(join(task.folder, 'DONE'), { throwIfNoEntry: false })?.isFile() ?? false;
}
