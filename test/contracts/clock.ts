import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/engine/ports/ports.ts';

export function honoursTheClockContract(name: string, open: () => Clock): void {
  describe(`${name} honours the clock's contract`, () => {
    it('never goes backwards', async () => {
      const clock = open();
      const before = clock.nowMs();
      await clock.sleepUntil(before + 5, new AbortController().signal);
      expect(clock.nowMs()).toBeGreaterThanOrEqual(before + 5);
    });

    it('does not sleep until a time that has passed', async () => {
      const clock = open();
      const before = clock.nowMs();
      await clock.sleepUntil(before - 10_000, new AbortController().signal);
      expect(clock.nowMs()).toBeGreaterThanOrEqual(before);
    });

    it('wakes up when the signal aborts, without an error', async () => {
      const clock = open();
      const controller = new AbortController();
      const sleeping = clock.sleepUntil(clock.nowMs() + 3_600_000, controller.signal);
      controller.abort();
      await expect(sleeping).resolves.toBeUndefined();
    });

    it('does not sleep at all with an aborted signal', async () => {
      const clock = open();
      await expect(clock.sleepUntil(clock.nowMs() + 3_600_000, AbortSignal.abort())).resolves.toBeUndefined();
    });
  });
}
