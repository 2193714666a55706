import { describe, expect, it } from 'vitest';
import { until } from '../../test/support/until.ts';
import { emptyState } from '../journal/state/state.ts';
import { watchOsSignals } from './signals.ts';

const DAY_MS = 86_400_000;

/** Watches with this grace period for SIGINT; `signal` is the handler that the system would call. */
function openWatch(sigint: number) {
  const asked: string[] = [];
  const before = process.listeners('SIGINT');
  const watching = watchOsSignals({ sigint, sigterm: sigint })(
    async (event) => asked.push(event.type === 'operator.asked' ? event.what : event.type) > 0,
    () => emptyState,
  );
  const ours = process.listeners('SIGINT').filter((listener) => !before.includes(listener));
  return {
    asked,
    signal: () => {
      for (const listener of ours) listener('SIGINT');
    },
    [Symbol.asyncDispose]: () => watching[Symbol.asyncDispose](),
  };
}

describe('a signal', () => {
  it('asks for a drain, and for an abort when its grace period is over', async () => {
    await using watch = openWatch(20);
    watch.signal();
    expect(watch.asked).toEqual(['drain']);
    await until('the grace is over', () => watch.asked.length === 2);
    expect(watch.asked).toEqual(['drain', 'abort']);
  });

  it.each([
    ['longer than a timer can wait', 30 * DAY_MS],
    ['without an end', 0],
  ])('aborts on the second signal, with a grace period %s', async (_name, graceMs) => {
    await using watch = openWatch(graceMs);
    await using short = openWatch(50);
    watch.signal();
    short.signal();
    await until('a short grace is over', () => short.asked.length === 2);
    expect(watch.asked).toEqual(['drain']);
    watch.signal();
    expect(watch.asked).toEqual(['drain', 'abort']);
  });

  it('is ignored after the watcher has ended', async () => {
    const before = process.listenerCount('SIGTERM');
    const watch = openWatch(50);
    expect(process.listenerCount('SIGTERM')).toBe(before + 1);
    await watch[Symbol.asyncDispose]();
    expect(process.listenerCount('SIGTERM')).toBe(before);
  });
});
