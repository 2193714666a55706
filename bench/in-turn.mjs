// For things that take their time: like `interleaved`, but awaited, and with something to tidy up after each that is not counted.
import { median } from './measure.mjs';

/** Each name once per round, so that noise is shared. What a run gives back is called after it. Gives the median of a name. */
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
