// npm test: runs every check and stops at the first failure. --static and --quick run a part of it, --all also the deep tests;
// --strict (and --all) fails also on a test that is red once and green when it runs again alone, which is else only named;
// --write-times writes the table of CONTRIBUTING.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodeOf, runSteps } from './check/run-steps.mjs';
import { deepToo, everything, quick, root, staticChecks } from './check/steps.mjs';
import { describeEnd, describeStep } from './check/summary.mjs';
import { writeTimes } from './check/times.mjs';

const minuteMs = 60_000;
const parts = {
  '--static': { steps: staticChecks },
  '--quick': { steps: quick },
  '--all': { steps: deepToo, env: { RALPH_TEST_ALL: '1', RALPH_TEST_STRICT: '1' }, limitMs: 45 * minuteMs },
};

const args = process.argv.slice(2);
const { steps, env, limitMs } = parts[args.find((arg) => arg in parts)] ?? { steps: everything, limitMs: 12 * minuteMs };
const sinceMs = performance.now();
const results = await runSteps(steps, (result) => console.log(describeStep(result)), args.includes('--strict') ? { ...env, RALPH_TEST_STRICT: '1' } : env);
const totalMs = performance.now() - sinceMs;
console.log(describeEnd(results, { totalMs, cpuMs: cpuOfChildrenMs(), limitMs, deepFiles: env?.RALPH_TEST_ALL ? 0 : countDeepFiles() }));
process.exitCode = exitCodeOf(results);
if (args.includes('--write-times') && process.exitCode === 0) writeTimes(join(root, 'CONTRIBUTING.md'), results, totalMs);

/** The processor time of all child processes, in hundredths of a second; null without /proc. */
function cpuOfChildrenMs() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return null;
  }
}

function countDeepFiles() {
  return ['src', 'test'].flatMap((folder) => readdirSync(join(root, folder), { recursive: true })).filter((path) => path.endsWith('.deep.test.ts')).length;
}
