/** `npm run test:all` and `npm run test:long` ask for more of the same: four or twenty times the random runs, a longer line, a flood of 1 GB. */
const all = process.env['RALPH_TEST_ALL'] === '1';
const long = process.env['RALPH_TEST_LONG'] === '1';

/** The random cases of a property: the same ones at each `npm test`, so that only a change can break it; new ones in the longer runs. */
export const manyRuns = (usual: number) => (all || long ? { numRuns: usual * (long ? 20 : 4) } : { numRuns: usual, seed: 42 });
/** More than is kept of a line, or of anything, in memory. */
export const floodMegabytes = long ? 1024 : 80;
/** Each is 64 KB with two secrets in it. */
export const secretLineTurns = all || long ? 1_024 : 128;
