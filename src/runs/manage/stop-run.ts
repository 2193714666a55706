import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { isAlive } from '../../process/identity.ts';
import type { ProcessIdentity } from '../../process/process-request.ts';
import { sendSignal } from '../../process/stop.ts';
import { sweepMarked } from '../../process/sweep.ts';
import { type RunSummary, readRunSummary } from '../../store/runs/run-summary.ts';
import { type RunWithStatus, stateOfRun, unreadable } from './find-run.ts';

/** over: it had already ended. swept: it was dead, and none of its processes is left. stopped: it ended by itself. killed: we killed it. running: it is still running. */
export type StopAnswer = 'over' | 'swept' | 'stopped' | 'killed' | 'running';

export interface StoppedRun {
  readonly answer: StopAnswer;
  /** The pids of a dead or killed run that could not be stopped. */
  readonly left: readonly number[];
}

interface StopOptions {
  readonly force: boolean;
  readonly timeoutMs: number;
}

const EVERY_MS = 50;
/** A killed process that lives longer than this is stuck in the kernel. */
const KILLING_MS = 5_000;

/** Asks the loop to stop and waits until it has. Signals only the very process that writes the journal, never another process with the same pid. */
export async function stopRun({ sight }: RunWithStatus, { force, timeoutMs }: StopOptions): Promise<StoppedRun> {
  if (sight.kind === 'unreadable') throw unreadable(sight);
  if (sight.stopped !== null) return { answer: 'over', left: [] };
  if (sight.liveness === 'dead') return await swept(sight, 'swept');
  if (sight.liveness === 'unknown' || sight.writer === null) throw outOfReach(sight);
  send(sight.writer, 'SIGTERM');
  const after = await untilOver(sight, timeoutMs);
  if (after.stopped !== null) return { answer: 'stopped', left: [] };
  if (after.liveness !== 'alive') return await swept(after, 'stopped');
  if (!force) return { answer: 'running', left: [] };
  send(sight.writer, 'SIGKILL');
  const killed = await untilOver(sight, KILLING_MS);
  return isAlive(sight.writer) ? { answer: 'running', left: [] } : await swept(killed, 'killed');
}

/** Waits until its process has ended, or the time is up. */
async function untilOver(brief: RunSummary, timeoutMs: number): Promise<RunSummary> {
  const untilMs = performance.now() + timeoutMs;
  for (;;) {
    const sight = await readRunSummary(brief.runsFolder, brief.run);
    const now = sight?.kind === 'run' ? sight : brief;
    if (now.liveness !== 'alive' || performance.now() > untilMs) return now;
    await sleep(EVERY_MS);
  }
}

/** Ends the processes that the loop could not end any more. Its guardian does the same; running both is harmless. */
async function swept({ run, folder }: RunSummary, answer: StopAnswer): Promise<StoppedRun> {
  // The agents that were running when the journal ends; none if the journal is damaged, because the markers find them as well.
  const agents = (await stateOfRun({ folder }))?.spawned ?? [];
  const left = await sweepMarked(`${run}~`, agents);
  return { answer, left: left.map(({ pid }) => pid) };
}

function send(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (sendSignal(identity, signal) !== 'not ours') return;
  throw new OperatorError('not-permitted', `process ${identity.pid} belongs to another user`, { hint: 'Ask its owner.', exitCode: 4 });
}

function outOfReach({ run, writer }: RunSummary): OperatorError {
  const where = writer === null ? 'by an unknown process' : `by process ${writer.pid} on ${writer.host}`;
  return new OperatorError('run-out-of-reach', `run ${run} is held ${where}, which cannot be reached from here`, { hint: 'Stop it there.', exitCode: 4 });
}
