import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './identity.ts';
import { type Kin, openKin } from './kin.ts';
import type { ProcessIdentity } from './process-ending.ts';
import type { ProcessRow } from './process-row.ts';

/** Beyond this a process is stuck in the kernel, where no signal reaches it. */
const longestSweepMs = 3_000;
const longestPauseMs = 50;
/** An exec takes well under a millisecond; a process that shows no environment three times has none. */
const looksWhenUnsure = 3;

/**
 * Kills all of the kin, looking again until none is found: what was being forked during one look is there in the next.
 * Resolves with what is left all the same: processes of another user, or stuck in the kernel.
 */
export async function sweep(kin: Kin): Promise<readonly ProcessRow[]> {
  const untilMs = performance.now() + longestSweepMs;
  const refused: ProcessRow[] = [];
  let unsureLooks = 0;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const { living, unsure } = kin.look();
    unsureLooks += Number(unsure);
    const none = living.length === 0 && (!unsure || unsureLooks >= looksWhenUnsure);
    if (none || performance.now() > untilMs) return [...refused, ...living];
    refused.push(...living.filter((row) => !kill(row.pid)));
    for (const row of refused) kin.giveUpOn(row);
    await sleep(pauseMs);
  }
}

/** After a crash: ends all whose marker begins with the prefix, and the processes known by name with all that came from them. */
export async function sweepMarked(prefix: string, known: readonly ProcessIdentity[]): Promise<readonly ProcessRow[]> {
  return await sweep(openKin({ known: known.filter(isAlive), session: null, isOurMarker: (marker) => marker.startsWith(prefix) }));
}

/** False when it is not ours to kill. One that is already gone is as good as killed. */
function kill(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EPERM');
  }
}
