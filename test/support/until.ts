import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until it holds. Throws, naming it, when that takes longer than the bound; returns the milliseconds it took. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, withinMs = 20_000): Promise<number> {
  const startMs = performance.now();
  for (;;) {
    const askedMs = performance.now();
    if (await holds()) return performance.now() - startMs;
    if (performance.now() - startMs > withinMs) throw new Error(`Not within ${withinMs} ms: ${what}`);
    // A look at all processes is dear: who only waits takes a fifth of the time at most.
    await sleep(Math.max(10, 4 * (performance.now() - askedMs)));
  }
}
