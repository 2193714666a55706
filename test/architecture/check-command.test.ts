import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { killPid } from '../support/kill-pid.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'ralph-check-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const moduleUrl = (file: string) => JSON.stringify(pathToFileURL(join(root, 'scripts/check', file)).href);

/** Runs a table of steps in a separate process, like the check command, and returns its output. */
function check(steps: string, end = '{ totalMs: 61_000 }', env = '{}') {
  const code = `
    import { exitCodeOf, runSteps } from ${moduleUrl('run-steps.mjs')};
    import { describeEnd, describeStep } from ${moduleUrl('summary.mjs')};
    const step = (name, code) => ({ name, argv: ['-e', code], cwd: ${JSON.stringify(folder)} });
    const tests = (name, code) => ({ name, argv: [${JSON.stringify(join(folder, 'reporter.cjs'))}, code], cwd: ${JSON.stringify(folder)}, countsTests: true });
    const results = await runSteps(${steps}, (result) => console.log(describeStep(result)), ${env});
    console.log(describeEnd(results, ${end}));
    process.exitCode = exitCodeOf(results);
  `;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  return { said: stdout, status };
}

/** Replaces vitest: writes the given report and exits with the given code. */
writeFileSync(
  join(folder, 'reporter.cjs'),
  `const [report, code, printed] = JSON.parse(process.argv[2]);
   if (printed) process.stdout.write(printed);
   const file = process.argv.find((arg) => arg.startsWith('--outputFile.json=')).split('=')[1];
   if (report) require('node:fs').writeFileSync(file, JSON.stringify({ testResults: [], numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, ...report }));
   process.exit(code);`,
);
/** Red at first, and then as \`again\` says; it notes what it was asked to run. */
writeFileSync(
  join(folder, 'twice.cjs'),
  `const { appendFileSync, existsSync, writeFileSync } = require('node:fs');
   const { name, titles, again, printed = '' } = JSON.parse(process.argv[2]);
   const seen = ${JSON.stringify(join(folder, 'twice-'))} + name;
   const isSecond = existsSync(seen);
   appendFileSync(seen, process.argv.slice(3).filter((arg) => !arg.startsWith('--outputFile')).join(' ') + '\\n');
   const red = isSecond ? again : titles;
   process.stdout.write(printed);
   const file = process.argv.find((arg) => arg.startsWith('--outputFile.json=')).split('=')[1];
   const assertionResults = red.map((fullName) => ({ status: 'failed', fullName }));
   const testResults = [{ name: '/src/a.test.ts', status: red.length > 0 ? 'failed' : 'passed', assertionResults }];
   writeFileSync(file, JSON.stringify({ testResults, numPassedTests: 9 - red.length, numFailedTests: red.length, numPendingTests: 0 }));
   process.exit(red.length > 0 ? 1 : 0);`,
);
/** Dies, successfully, while it writes its report. */
writeFileSync(
  join(folder, 'half.cjs'),
  `require('node:fs').writeFileSync(process.argv.find((arg) => arg.startsWith('--outputFile.json=')).split('=')[1], '{"numPassedTests": 5, "test');`,
);
const redAtFirst = (name: string, titles: string[], again: string[], printed = '') =>
  `[{ name: 'a', argv: [${JSON.stringify(join(folder, 'twice.cjs'))}, ${JSON.stringify(JSON.stringify({ name, titles, again, printed }))}], cwd: ${JSON.stringify(folder)}, countsTests: true }]`;
const runsOf = (name: string) =>
  readFileSync(join(folder, `twice-${name}`), 'utf8')
    .trimEnd()
    .split('\n');
const reporting = (report: unknown, code: number, printed = '') => JSON.stringify(JSON.stringify([report, code, printed]));

describe('the check command', () => {
  it('names every step with its time, and prints no output of passed steps', () => {
    const { said, status } = check(`[step('one', "console.log('chatter')"), step('two', ''), step('three', '')]`);
    expect(said).toMatch(/^ok {4}one +\d+\.\d s$/m);
    expect(said).toMatch(/^ok {4}three +\d+\.\d s$/m);
    expect(said).not.toContain('chatter');
    expect(status).toBe(0);
  });

  it('shows once what a passed step has skipped', () => {
    const { said } = check(
      `[step('one', "console.log('chatter'); console.warn('\\x1b[22m!!! SKIPPED, NOT TESTED: no tool'); console.warn('!!! SKIPPED, NOT TESTED: no tool')")]`,
    );
    expect(said.match(/^!!! SKIPPED, NOT TESTED: no tool$/gm)).toHaveLength(1);
    expect(said).not.toContain('chatter');
  });

  it('stops at the first failure and shows its output', () => {
    const { said, status } = check(`[step('one', "console.error('the reason'); process.exit(3)"), { ...step('two', "console.log('never')"), after: ['one'] }]`);
    expect(said).toMatch(/the reason\n\nFAIL {2}one/);
    expect(said).toMatch(/^ {2}two +not run$/m);
    expect(status).toBe(1);
  });

  it('does not wait for processes that a step leaves running', () => {
    const pidFile = join(folder, 'left-behind.pid');
    const leaveOneBehind = `
      const child = require('node:child_process').spawn('sleep', ['60'], { stdio: 'inherit', detached: true });
      require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));
      child.unref();
    `;
    const sinceMs = performance.now();
    const { status } = check(`[step('one', ${JSON.stringify(leaveOneBehind)})]`);
    killPid(readFileSync(pidFile, 'utf8'), 'SIGTERM');
    expect(status).toBe(0);
    expect(performance.now() - sinceMs).toBeLessThan(30_000);
  });

  it('prints the number of tests of all suites on its own line', () => {
    const { said } = check(`[tests('a', ${reporting({ numPassedTests: 3, numPendingTests: 1 }, 0)}), tests('b', ${reporting({ numPassedTests: 4 }, 0)})]`);
    expect(said).toMatch(/^7 passed, 0 failed, 1 skipped$/m);
  });

  it('counts a test file that does not load as a failure', () => {
    const report = { numPassedTests: 2, testResults: [{ status: 'failed', assertionResults: [] }] };
    expect(check(`[tests('a', ${reporting(report, 1)})]`).said).toMatch(/^2 passed, 1 failed$/m);
  });

  it('counts a suite that dies without a report as a failure', () => {
    expect(check(`[tests('a', ${reporting(null, 1)})]`).said).toMatch(/^0 passed, 1 failed$/m);
  });

  it('counts a suite that succeeds without a whole report as a failure', () => {
    const half = `[{ name: 'a', argv: [${JSON.stringify(join(folder, 'half.cjs'))}], cwd: ${JSON.stringify(folder)}, countsTests: true }]`;
    for (const steps of [half, `[tests('a', ${reporting(null, 0)})]`]) {
      const { said, status } = check(steps);
      expect(said).toMatch(/^0 passed, 1 failed$/m);
      expect(status).toBe(1);
    }
  });

  it('names a test that is red once and green when its file runs alone, and passes', () => {
    const { said, status } = check(redAtFirst('flaky', ['a slow thing ends'], []));
    expect(said.match(/^!!! FLAKY, MEND IT: .*src\/a\.test\.ts: "a slow thing ends" was red/gm)).toHaveLength(2);
    expect(said).toMatch(/^9 passed, 0 failed$/m);
    expect(status).toBe(0);
    expect(runsOf('flaky')[1]).toBe('/src/a.test.ts --maxWorkers=1 --reporter=default --reporter=json');
  });

  it('fails if a test is red twice', () => {
    const { said, status } = check(redAtFirst('red', ['one'], ['one']));
    expect(said).toMatch(/^8 passed, 1 failed$/m);
    expect(status).toBe(1);
  });

  it.each([
    { why: 'four tests are red', titles: ['a', 'b', 'c', 'd'] },
    { why: 'something failed outside of a test', titles: ['a'], printed: '⎯⎯ Unhandled Errors ⎯⎯\n' },
    { why: 'flaky tests have to count as red', titles: ['a'], env: "{ RALPH_TEST_STRICT: '1' }" },
  ])('does not run anything again if $why', ({ why, titles, printed, env }) => {
    const name = why.replaceAll(' ', '-');
    expect(check(redAtFirst(name, titles, [], printed), undefined, env).status).toBe(1);
    expect(runsOf(name)).toHaveLength(1);
  });

  it('reports what it skips', () => {
    const { said, status } = check(`[{ ...step('agents', ''), skip: () => 'NOT RUN: no agents here' }]`);
    expect(said).toMatch(/^!!! {3}agents +NOT RUN: no agents here$/m);
    expect(status).toBe(0);
  });

  it('runs two steps at a time, and each after those it depends on', () => {
    const noting = (name: string) => `const { appendFileSync, readFileSync } = require('node:fs');
      const file = ${JSON.stringify(join(folder, 'order'))};
      appendFileSync(file, '+${name}');
      while ('${name}' === 'one' && !readFileSync(file, 'utf8').includes('+two'));
      appendFileSync(file, '-${name}');`;
    const all = ['one', 'three', 'two'].map(
      (name) => `{ ...step('${name}', ${JSON.stringify(noting(name))}), after: ${name === 'three' ? "['one', 'two']" : '[]'} }`,
    );
    expect(check(`[${all.join(', ')}]`).status).toBe(0);
    expect(readFileSync(join(folder, 'order'), 'utf8')).toMatch(/^(?=.*\+two.*-one).*\+three-three$/);
  });

  it('counts the tests that are left for the deep run separately', () => {
    const [deep, skipped] = [['deep: slow', 'a'], ['a']].map((ancestorTitles) => ({ status: 'skipped', ancestorTitles }));
    const report = { numPassedTests: 5, numPendingTests: 3, testResults: [{ status: 'passed', assertionResults: [deep, deep, skipped] }] };
    const printing = `>>> MOVED TO npm run test:all: 7 of 9 rows: slow\n`;
    const { said } = check(`[tests('a', ${reporting(report, 0, printing)})]`, '{ totalMs: 1, deepFiles: 3 }');
    expect(said).toMatch(/^9 deeper tests and 3 whole files were left to npm run test:all\n5 passed, 0 failed, 1 skipped$/m);
  });

  it('passes its variables to every step', () => {
    const says = `process.exit(process.env.RALPH_TEST_ALL === '1' && process.env.PATH ? 0 : 1)`;
    expect(check(`[step('one', ${JSON.stringify(says)})]`, undefined, "{ RALPH_TEST_ALL: '1' }").status).toBe(0);
    expect(check(`[step('one', ${JSON.stringify(says)})]`, undefined, "{ RALPH_TEST_ALL: '0' }").status).toBe(1);
  });

  it('prints the total time, and whether it is too long', () => {
    expect(check('[]').said).toMatch(/^ {2}total +61\.0 s$/m);
    expect(check('[]', '{ totalMs: 61_000, cpuMs: 90_000, limitMs: 60_000 }').said).toMatch(
      /^ {2}total +61\.0 s {2}\(90 s of processor time\)\n!!! TOO SLOW: 1 minutes, over the 1 minutes/m,
    );
  });

  it('names the slowest test files if the total time is too long', () => {
    const file = (name: string, ms: number) => ({
      name: join(process.cwd(), name),
      startTime: 1_000,
      endTime: 1_000 + ms,
      status: 'passed',
      assertionResults: [],
    });
    const steps = `[tests('a', ${reporting({ testResults: [file('fast.test.ts', 10), file('slow.test.ts', 30_000)] }, 0)})]`;
    expect(check(steps, '{ totalMs: 61_000, limitMs: 60_000 }').said).toMatch(/^ +30\.0 s {2}slow\.test\.ts\n +0\.0 s {2}fast\.test\.ts$/m);
    expect(check(steps).said).not.toContain('slow.test.ts');
  });
});

describe('the table of times', () => {
  const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const rowsIn = (text: string) => [...text.matchAll(/^\| ([^|]+) \| ([^|]+) \| (\d+ s|skipped|not run) \|$/gm)].map(([, name, holds]) => ({ name, holds }));

  it('is written from a run without changing the rest of the page', async () => {
    const { writeTimes } = await import(pathToFileURL(join(root, 'scripts/check/times.mjs')).href);
    const page = join(folder, 'page.md');
    writeFileSync(page, 'a\n<!-- times: written by npm test -- --write-times -->\nold\n<!-- /times -->\nb');
    writeTimes(page, [{ name: 'x', holds: 'y', state: 'passed', ms: 2_400 }], 3_000);
    const told = readFileSync(page, 'utf8');
    expect(told).toMatch(/^a\n<!-- times: .+ -->\n[\s\S]+\| x \| y \| 2 s \|\n\| \*\*all\*\* \| .+ \| 3 s \|\n<!-- \/times -->\nb$/);
  });

  it('names every step of npm test, in its order', async () => {
    const { everything } = await import(pathToFileURL(join(root, 'scripts/check/steps.mjs')).href);
    const named = everything.map(({ name, holds }: { readonly name: string; readonly holds: string }) => ({ name, holds }));
    expect(rowsIn(contributing).filter(({ name }) => name !== '**all**')).toEqual(named);
  });
});
