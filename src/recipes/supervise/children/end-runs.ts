import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../../process/identity.ts';
import type { ProcessIdentity } from '../../../process/process-ending.ts';
import { sendSignal } from '../../../process/send-signal.ts';
import { sweepMarked } from '../../../process/sweep.ts';

/** A run that is at work, and the process that does it. */
export interface RunAtWork {
  readonly run: string;
  readonly identity: ProcessIdentity;
}

interface Step {
  readonly signal: 'SIGTERM' | 'SIGKILL';
  readonly graceMs: number;
}

/** The first signal asks a run to stop when it can, the second to stop now: then it still ends its agent itself, and writes down that it did. */
const STEPS: readonly Step[] = [
  { signal: 'SIGTERM', graceMs: 1_000 },
  { signal: 'SIGTERM', graceMs: 10_000 },
  { signal: 'SIGKILL', graceMs: 3_000 },
];

const EVERY_MS = 20;

/** Asks ever louder, and ends what a run that had to be killed left behind. Resolves with the runs of which something lives all the same. */
export async function endRuns(runs: readonly RunAtWork[]): Promise<readonly string[]> {
  for (const step of STEPS) await ask(runs, step);
  const left = await Promise.all(runs.map(async ({ run, identity }) => (await sweepMarked(`${run}~`, [])).length > 0 || isAlive(identity)));
  return runs.filter((_run, index) => left[index]).map(({ run }) => run);
}

async function ask(runs: readonly RunAtWork[], { signal, graceMs }: Step): Promise<void> {
  for (const { identity } of runs) sendSignal(identity, signal);
  const untilMs = performance.now() + graceMs;
  while (runs.some(({ identity }) => isAlive(identity)) && performance.now() < untilMs) await sleep(EVERY_MS);
}
