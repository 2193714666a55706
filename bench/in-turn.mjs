// For asynchronous work: like `interleaved`, but awaited, and with a clean-up after each run that is not measured.
import { median } from './measure.mjs';

/** Runs each name once per round, so that all share the noise. Calls the function that a run returns as its clean-up. Returns the median of a name. */
export async function inTurn(rounds, runs) {
  const times = Object.fromEntries(Object.keys(runs).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(runs)) {
      const startMs = performance.now();
      const after = await run();
      times[name].push(performance.now() - startMs);
      if (typeof after === 'function') await after();
    }
  }
  return (name) => median(times[name]);
}
