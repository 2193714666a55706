import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { STOP_REASONS } from '../../journal/words/outcome.ts';
import { factsOf } from '../../settings/schema/recipe-facts.ts';
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

/** Computed from the process table and the task folder as they are now. */
export function runStateOf(sight: RunSummaryOrProblem): RunStateNow {
  if (sight.kind === 'unreadable') return { state: 'unreadable', isRecorded: true };
  if (sight.stopped !== null) return { state: STOP_REASONS[sight.stopped.stop_reason], isRecorded: true };
  if (sight.liveness === 'alive') return { state: 'running', isRecorded: true };
  if (sight.liveness === 'unknown') return { state: 'unknown', isRecorded: true };
  return isDoneUnrecorded(sight) ? { state: 'done', isRecorded: false } : { state: 'dead', isRecorded: true };
}

/** With gates configured, DONE alone proves nothing: nobody ran them. */
function isDoneUnrecorded(run: RunSummary): boolean {
  const { task, gates } = run;
  if (!factsOf(run).isRestarted || task === null || gates > 0) return false;
  return lstatSync(join(task.folder, 'DONE'), { throwIfNoEntry: false })?.isFile() ?? false;
}
