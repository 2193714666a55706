import type { UnreadableRun } from '../../store/runs/run-brief.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';

/** Of a run whose folder is there and whose journal has not begun. */
export function neverStarted(run: string): OperatorError {
  return new OperatorError('run-empty', `run ${run} never started`, { hint: 'Start a new one.', exitCode: 2 });
}

export function unreadable({ run, folder, why }: UnreadableRun): OperatorError {
  return new OperatorError('run-unreadable', `run ${run} cannot be read: ${why}`, { hint: `Look at ${folder} yourself.`, exitCode: 4 });
}
