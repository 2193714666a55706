import type { Clock } from '../../src/engine/ports/ports.ts';

/** A clock that only moves when somebody sleeps; a sleep takes no time at all. Honours the clock's contract. */
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
