// Shared by the benches: run things in turn, so that a busy machine affects all of them alike, and print one line per figure.
import { fileURLToPath } from 'node:url';

export const CLI = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

/** Runs each name once per round, so that all share the noise. */
export function interleaved(names, rounds, run) {
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const startMs = performance.now();
      run(name);
      times[name].push(performance.now() - startMs);
    }
  }
  return times;
}

export function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

export function report(what, figure, ratio, goal) {
  console.log(`${what.padEnd(46)} ${figure.padStart(12)} ${ratio.padStart(10)}   ${goal}`);
}
