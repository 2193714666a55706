import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { judgedGates } from '../../support/judged-gates.ts';
import { CHECK, eventsOf, finishes, honest, openLoopStage, receiptOf, tries } from '../../support/loop-stage.ts';
import { iterationsOf, WORK } from '../../support/stage.ts';

vi.setConfig({ maxConcurrency: 3 });

describe.concurrent('before the first iteration', () => {
  it('the checks run, and the prompt names the red ones', async () => {
    await using stage = await openLoopStage([honest]);
    const run = await stage.loop('--check', 'true');
    expect(run.result?.baseline).toEqual([
      { check: CHECK, green: false },
      { check: 'true', green: true },
    ]);
    expect(stage.prompts()[0]).toContain(`- \`${CHECK}\` (was red before the first iteration)\n- \`true\`\n`);
    expect(run.stderr).toContain('Baseline: 1 of 2 checks red before the start');
    expect(receiptOf(run).checks).toMatchObject([
      { command: CHECK, was_red: true },
      { command: 'true', was_red: false },
    ]);
  });

  it('all checks may be green; this is reported and does not end the loop', async () => {
    await using stage = await openLoopStage([tries('true'), finishes('true')], { gate: 'true' });
    const run = await stage.loop();
    expect(run.stderr).toMatch(/green from the start: they prove that nothing broke/);
    expect(run).toMatchObject({ code: 0, result: { iterations: 2, baseline: [{ green: true }] } });
    expect(run.result?.zero_work).toBe(true);
  });

  it('nothing runs with --no-baseline', async () => {
    await using stage = await openLoopStage([honest]);
    const run = await stage.loop('--no-baseline');
    expect(run).toMatchObject({ code: 0, result: { baseline: null } });
    expect(eventsOf(run, 'gates.judged')).toHaveLength(1);
    expect(stage.prompts()[0]).not.toContain('was red before');
    expect(receiptOf(run).checks).toMatchObject([{ was_red: null }]);
  });
});

describe.concurrent('a witness', () => {
  it.for([[], ['--no-baseline']])('that is green from the start can prove nothing: exit 2, and no agent is asked %s', async (more) => {
    await using stage = await openLoopStage([honest]);
    const run = await stage.loop('--witness', 'true', ...more);
    expect(run).toMatchObject({
      code: 2,
      result: { done: false, stop_reason: 'fatal', message: expect.stringContaining('the witness "true" is green before') },
    });
    expect(stage.after()).toMatchObject({ calls: 0, changed: [] });
  });

  it('that is green from the start is checked again when the run is resumed', async () => {
    await using stage = await openLoopStage([honest]);
    await stage.loop('--witness', 'true');
    expect(await stage.ralph('loop', '--resume', '--json')).toMatchObject({ code: 2, result: { stop_reason: 'fatal' } });
    expect(stage.after().calls).toBe(0);
  });

  it('refuses an agent that changes something else, and proves a real fix', async () => {
    const witness = 'grep -q fixed bug.txt';
    await using stage = await openLoopStage([finishes('echo other > bug.txt'), finishes('echo fixed > bug.txt')], {
      gate: 'true',
      files: { 'bug.txt': 'bug\n' },
    });
    const run = await stage.loop('--witness', witness);
    expect(iterationsOf(run)).toEqual(['red', 'green']);
    expect(run.result?.gates).toEqual(['true', witness]);
    expect(receiptOf(run).checks).toMatchObject([
      { command: 'true', exit_code: 0, was_red: false },
      { command: witness, exit_code: 0, was_red: true },
    ]);
  });

  it('that is missing lets the same agent succeed', async () => {
    await using stage = await openLoopStage([finishes('echo other > bug.txt')], { gate: 'true', files: { 'bug.txt': 'bug\n' } });
    expect(await stage.loop()).toMatchObject({ code: 0, result: { done: true, iterations: 1 } });
  });
});

/** Red at the first of two runs. */
const FLAKY = 'n=$(cat ../beside/n 2>/dev/null || echo 0); echo $((n + 1)) > ../beside/n; echo "look $n"; [ $((n % 2)) = 1 ]';

describe.concurrent('a check that is red once and green at the next run', () => {
  it('counts as green and flaky, and the agent is not blamed', async () => {
    await using stage = await openLoopStage([tries(WORK), finishes('true')], { gate: FLAKY });
    const run = await stage.loop('--check', CHECK, '--no-baseline', '--proof', 'off');
    expect(run, run.stderr).toMatchObject({ code: 0, result: { done: true, iterations: 2 } });
    expect(judgedGates(run).map((results) => results.map(({ green, flaky }) => ({ green, flaky })))).toEqual([
      [
        { green: true, flaky: true },
        { green: true, flaky: false },
      ],
      [
        { green: true, flaky: true },
        { green: true, flaky: false },
      ],
    ]);
    expect(run.stderr).toMatch(/flaky/i);
    expect(stage.prompts()[1]).not.toContain('## Errors from Previous Iteration');
    expect(receiptOf(run).checks).toMatchObject([{ flaky: true }, { flaky: false }]);
  });

  it('is red with --flaky-retries 0', async () => {
    await using stage = await openLoopStage([finishes(WORK)], { gate: FLAKY });
    const run = await stage.loop('--flaky-retries', '0', '--no-baseline', '--max-iterations', '2');
    expect(iterationsOf(run)).toEqual(['red', 'green']);
    expect(stage.prompts()[1]).toContain('look 0');
  });

  it('runs as often as --flaky-retries says, and is red if it was red every time', async () => {
    await using stage = await openLoopStage([finishes('true')], { gate: 'echo look >> ../beside/looks; false' });
    const run = await stage.loop('--flaky-retries', '3', '--no-baseline', '--max-iterations', '1');
    expect(run).toMatchObject({ code: 1, result: { done: false } });
    expect(judgedGates(run)).toMatchObject([[{ green: false, flaky: false }]]);
    expect(readFileSync(join(stage.repo.beside, 'looks'), 'utf8')).toBe('look\n'.repeat(4));
  });
});
