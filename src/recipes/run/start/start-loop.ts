import type { FinishedRun, RunOptions } from '../../../runs/run-options.ts';
import { startWith } from './start-run.ts';
import { type WantedLoop, wantedLoop } from '../../../settings/wanted-loop.ts';

export type LoopOptions = RunOptions & WantedLoop;

/** Starts a loop: the same recipe as a run, with the settings of seed 004. */
export function startLoop(options: LoopOptions): Promise<FinishedRun> {
  return startWith(options, () => wantedLoop(options));
}
