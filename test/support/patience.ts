/** `npm run test:long` asks for more of the same: twenty times the random runs, a flood of 1 GB. */
const long = process.env['RALPH_TEST_LONG'] === '1';

export const manyRuns = (usual: number) => ({ numRuns: long ? usual * 20 : usual });
/** More than is kept of a line, or of anything, in memory. */
export const floodMegabytes = long ? 1024 : 80;
