import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../engine/ports/clock.ts';

/** setTimeout counts in 32 bits; a longer sleep is several. */
const LONGEST_MS = 2 ** 31 - 1;

/** Wall time when opened, uptime from then on: setting the machine's clock moves neither limits nor event times. */
export function openSystemClock(): Clock {
  const openedMs = Date.now();
  const uptimeMs = performance.now();
  const nowMs = () => Math.round(openedMs + performance.now() - uptimeMs);
  return {
    nowMs,
    async sleepUntil(untilMs, signal) {
      for (let leftMs = untilMs - nowMs(); leftMs > 0 && !signal.aborted; leftMs = untilMs - nowMs()) {
        await sleep(Math.min(leftMs, LONGEST_MS), undefined, { signal }).catch(() => undefined);
      }
    },
  };
}
