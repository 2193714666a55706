import { uptime } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../engine/ports/ports.ts';

/** A machine may be suspended while we sleep, and timers do not count that: look again now and then. */
const LONGEST_SLEEP_MS = 30_000;

/** The uptime counts a suspended machine's time but only in steps of some milliseconds; less than this is no suspension. */
const LEAST_SUSPENDED_MS = 1_000;

/**
 * Wall time when opened, time passed from then on: setting the machine's clock moves neither limits nor event times. A clock for a run that
 * goes on is opened not before its last event, or a machine whose clock was set back would wait for that time to come again.
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
