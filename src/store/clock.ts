import { uptime } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../engine/ports/ports.ts';

/** Timers do not count the time while a machine is suspended, so we wake up and look again. */
const LONGEST_SLEEP_MS = 30_000;

/** The uptime includes suspended time, but is coarse; a shorter difference is not a suspension. */
const LEAST_SUSPENDED_MS = 1_000;

/**
 * Starts at the wall time and then counts elapsed time, so setting the machine's clock moves neither limits nor event times. A resumed run
 * passes the time of its last event: if the machine's clock was set back since, the run would otherwise wait for that time again.
 */
export function openSystemClock(notBeforeMs = 0): Clock {
  const openedMs = Math.max(Date.now(), notBeforeMs);
  const runningMs = performance.now();
  const uptimeMs = uptime() * 1_000;
  const nowMs = () => {
    const ranMs = performance.now() - runningMs;
    const suspendedMs = uptime() * 1_000 - uptimeMs - ranMs;
    return Math.round(openedMs + ranMs + (suspendedMs > LEAST_SUSPENDED_MS ? suspendedMs : 0));
  };
  return {
    nowMs,
    async sleepUntil(untilMs, signal) {
      for (let leftMs = untilMs - nowMs(); leftMs > 0 && !signal.aborted; leftMs = untilMs - nowMs()) {
        await sleep(Math.min(leftMs, LONGEST_SLEEP_MS), undefined, { signal }).catch(() => undefined);
      }
    },
  };
}
