/** `npm run test:long` asks for more of the same: twenty times the random runs, five times the flood. */
const long = process.env['RALPH_TEST_LONG'] === '1';

export const manyRuns = (usual: number) => ({ numRuns: long ? usual * 20 : usual });
export const floodMegabytes = long ? 1024 : 200;
