import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until it holds. Throws, naming it, when that takes longer than the bound; returns the milliseconds it took. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, withinMs = 20_000): Promise<number> {
  const startMs = performance.now();
  while (!(await holds())) {
    if (performance.now() - startMs > withinMs) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await sleep(10);
  }
  return performance.now() - startMs;
}
