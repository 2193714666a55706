import type { Clock } from '../../src/engine/ports/ports.ts';

/** A clock that moves only during sleeps, which take no real time. Fulfils the clock's contract. */
export function handClock(startMs = 1_700_000_000_000): Clock & { advance(ms: number): void } {
  let nowMs = startMs;
  return {
    nowMs: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
    async sleepUntil(untilMs, signal) {
      await Promise.resolve();
      if (!signal.aborted) nowMs = Math.max(nowMs, untilMs);
    },
  };
}
