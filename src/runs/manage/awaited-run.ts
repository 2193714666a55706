import type { RunSummaryOrProblem } from '../../store/runs/run-summary.ts';
import { runStateOf } from './run-state.ts';

export interface AwaitedRun {
  readonly status: string;
  readonly exit_code: number | null;
  readonly message: string | null;
}

/** For a caller that waits for its end. An unreadable run is over when its process has ended: no more information will come. */
export function awaitedRun(sight: RunSummaryOrProblem): AwaitedRun {
  if (sight.kind === 'run') return { status: runStateOf(sight).state, exit_code: sight.stopped?.exit_code ?? null, message: sight.stopped?.message ?? null };
  if (sight.liveness === 'dead') return { status: 'unreadable', exit_code: null, message: `its process is gone, and ${sight.why}` };
  return { status: sight.liveness === 'alive' ? 'running' : 'unknown', exit_code: null, message: sight.why };
}
