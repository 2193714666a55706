import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './identity.ts';
import { type Kin, type Look, openKin } from './kin.ts';
import type { ProcessIdentity } from './process-request.ts';
import { nameOf, type ProcessRow } from './process-table.ts';

/** Whoever is asked can take its locks away: a git that is killed leaves `index.lock`, and every later git refuses to work. */
const graceMs = 1_000;
/** Beyond this a process is stuck in the kernel, where no signal reaches it. */
const longestKillingMs = 3_000;
const longestPauseMs = 50;
/** An exec takes well under a millisecond; a process that shows no environment three times has none. */
const looksWhenUnsure = 3;

/**
 * Ends all of the kin: SIGTERM to each, and SIGKILL once the grace is over. Looks again until none is left, for what was being forked
 * during one look is there in the next. Resolves with what is left all the same: processes of another user, or stuck in the kernel.
 */
export async function sweep(kin: Kin): Promise<readonly ProcessRow[]> {
  const killFromMs = performance.now() + graceMs;
  const noneIsLeft = judgeLooks();
  const { end, refused } = openEnding(kin);
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const seen = kin.look();
    const nowMs = performance.now();
    if (noneIsLeft(seen) || nowMs > killFromMs + longestKillingMs) return [...refused, ...seen.living];
    for (const row of seen.living) end(row, nowMs < killFromMs ? 'SIGTERM' : 'SIGKILL');
    await sleep(pauseMs);
  }
}

/** After a crash: ends all whose marker begins with the prefix, and the processes known by name with all that came from them. */
export async function sweepMarked(prefix: string, known: readonly ProcessIdentity[]): Promise<readonly ProcessRow[]> {
  return await sweep(openKin({ known: known.filter(isAlive), session: null, isOurMarker: (marker) => marker.startsWith(prefix) }));
}

/** One empty look is believed at once; where something was found before, only the second in a row is. */
function judgeLooks(): (seen: Look) => boolean {
  let found = false;
  let emptyLooks = 0;
  let unsureLooks = 0;
  return ({ living, unsure }) => {
    found ||= living.length > 0;
    emptyLooks = living.length === 0 ? emptyLooks + 1 : 0;
    unsureLooks += Number(unsure);
    return emptyLooks >= (found ? 2 : 1) && (!unsure || unsureLooks >= looksWhenUnsure);
  };
}

/** Each is asked once: a second SIGTERM makes some programs leave without cleaning up. */
function openEnding(kin: Kin) {
  const asked = new Set<string>();
  const refused: ProcessRow[] = [];
  return {
    refused,
    end(row: ProcessRow, signal: 'SIGTERM' | 'SIGKILL') {
      if (signal === 'SIGTERM' && asked.has(nameOf(row))) return;
      asked.add(nameOf(row));
      if (send(row.pid, signal)) return;
      refused.push(row);
      kin.giveUpOn(row);
    },
  };
}

/** False when it is not ours to end. One that is already gone is as good as ended. */
function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EPERM');
  }
}
