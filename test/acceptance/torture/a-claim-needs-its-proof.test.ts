import { describe, expect, it } from 'vitest';
import { bash, CLAIM, ends, turn } from '../../support/claude-script.ts';
import { iterationsOf, openStage, WORK, WORKED } from '../../support/stage.ts';

const lies = turn(...ends(CLAIM));
const works = turn(bash(WORK), ...ends(CLAIM));

describe.concurrent('an agent that changes nothing and claims to be done', () => {
  it('is never accepted while tests fail, and the run ends with exit code 1 at the limit', async () => {
    const files = { 'sum.test.mjs': "import { test } from 'node:test';\ntest('adds', () => { throw new Error('1 + 1 is not 3'); });\n" };
    await using stage = await openStage([lies], { files, gate: 'node --test' });
    const run = await stage.run('-m', '3');

    expect(run.code).toBe(1);
    expect(run.result).toMatchObject({
      stop_reason: 'max_iterations',
      done: false,
      claim: null,
      unproven: false,
      zero_work: false,
      iterations: 3,
      exit_code: 1,
    });
    expect(iterationsOf(run)).toEqual(['red', 'red', 'red']);
    expect(run.stderr).toContain('Claim "DONE" not accepted: the check is red.');
    expect(run.stderr).toContain('Maximum iterations reached: node --test was red in the last 3 iterations.');
    expect(run.stderr).toMatch(/Guardrail end: node --test \(exit 1, action=APPEND\)\n( {5}.*\n)* {5}.*1 \+ 1 is not 3/);
    expect(stage.calls()[1]?.prompt).toContain('1 + 1 is not 3');
    expect(stage.after()).toEqual({ calls: 3, commits: 1, changed: [], processes: [] });
  });

  it('is accepted if all gates are green, and its run is marked as zero work', async () => {
    await using stage = await openStage([lies], { gate: 'true' });
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ stop_reason: 'completed', done: true, zero_work: true, unproven: false, iterations: 1 });
    expect(run.stderr).toContain('ZERO WORK');
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: [], processes: [] });
  });

  it('is refused by --require-change although all gates are green, and told why', async () => {
    await using stage = await openStage([lies], { gate: 'true' });
    const run = await stage.run('--require-change', '-m', '2');

    expect(run.code).toBe(1);
    expect(run.result).toMatchObject({ stop_reason: 'max_iterations', done: false, iterations: 2 });
    expect(run.stderr).toContain('Claim "DONE" not accepted: nothing has changed since the start.');
    expect(stage.calls()[1]?.prompt).toContain('nothing has changed since the start');
    expect(stage.after()).toEqual({ calls: 2, commits: 1, changed: [], processes: [] });
  });

  it('gets no credit for changes from before the start', async () => {
    await using stage = await openStage([lies], { gate: 'true' });
    await stage.repo.write('half-done.txt', 'by the user\n');
    await stage.repo.write('check.sh', 'exit 0\n');
    const run = await stage.run('--require-change', '-m', '1', '--verbose');

    expect(run.code).toBe(1);
    expect(run.result).toMatchObject({ stop_reason: 'max_iterations', done: false });
    expect(run.stderr).toContain('2 files dirty before the start');
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: ['M check.sh', '?? half-done.txt'], processes: [] });
  });

  it('gets no credit for files that a gate leaves behind', async () => {
    await using stage = await openStage([lies], { gate: 'date > report.txt' });
    const run = await stage.run('-m', '1');

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ stop_reason: 'completed', zero_work: true });
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: ['?? report.txt'], processes: [] });
  });

  it('is refused by --require-change in every iteration, also if a gate left files behind', async () => {
    await using stage = await openStage([lies], { gate: 'date +%s%N > report.txt' });
    const run = await stage.run('--require-change', '-m', '3');

    expect(run.code).toBe(1);
    expect(run.result).toMatchObject({ stop_reason: 'max_iterations', done: false, iterations: 3 });
    expect(stage.after()).toEqual({ calls: 3, commits: 1, changed: ['?? report.txt'], processes: [] });
  });

  it('passes --require-change once it changes something, also in a dirty tree', async () => {
    await using stage = await openStage([lies, works], { gate: 'true' });
    await stage.repo.write('half-done.txt', 'by the user\n');
    const run = await stage.run('--require-change', '-m', '2');

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ stop_reason: 'completed', zero_work: false, iterations: 2 });
    expect(stage.after()).toEqual({ calls: 2, commits: 1, changed: ['?? half-done.txt', ...WORKED], processes: [] });
  });
});

describe.concurrent('a run without any gate', () => {
  it('ends with the claim alone and is marked as unproven from the first line to the last', async () => {
    await using stage = await openStage([works], { gate: null });
    const run = await stage.run();

    expect(run.code).toBe(0);
    expect(run.result).toMatchObject({ stop_reason: 'completed', done: true, unproven: true, zero_work: false, gates: [] });
    const [banner, summary] = run.stderr.split('=== Ralph iteration 1/10 ===');
    expect(banner).toContain('UNPROVEN');
    expect(summary).toContain('UNPROVEN');
    expect(stage.after()).toEqual({ calls: 1, commits: 1, changed: WORKED, processes: [] });
  });

  it('does not start with --require-proof, and exits with 2', async () => {
    await using stage = await openStage([works], { gate: null });
    const run = await stage.run('--require-proof');

    expect(run.code).toBe(2);
    expect(run.result).toMatchObject({ stop_reason: 'fatal', done: false, exit_code: 2 });
    expect(run.stderr).toMatch(/^error: this run has no check.*\nhint: .*--check/);
    expect(stage.after()).toEqual({ calls: 0, commits: 1, changed: [], processes: [] });
  });
});

describe.concurrent('an agent that never claims anything', () => {
  it('gets all iterations, and the run exits with 1', async () => {
    await using stage = await openStage([turn(...ends('I looked around.'))]);
    const run = await stage.run('-m', '3');

    expect(run.code).toBe(1);
    expect(run.result).toMatchObject({ stop_reason: 'max_iterations', done: false, claim: null, iterations: 3, attempts: 3 });
    expect(iterationsOf(run)).toEqual(['red', 'red', 'red']);
    expect(stage.after()).toEqual({ calls: 3, commits: 1, changed: [], processes: [] });
  });

  it('is not done although all gates are green', async () => {
    await using stage = await openStage([turn(bash(WORK), ...ends('I wrote work.txt, but I am not DONE yet.'))]);
    const run = await stage.run('-m', '2');

    expect(run.code).toBe(1);
    expect(run.result).toMatchObject({ stop_reason: 'max_iterations', done: false, iterations: 2 });
    expect(iterationsOf(run)).toEqual(['green', 'green']);
    expect(stage.after()).toEqual({ calls: 2, commits: 1, changed: WORKED, processes: [] });
  });
});
