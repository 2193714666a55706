import { describe, expect, it, vi } from 'vitest';
import { bash, limited, stay, tool, turn } from '../../support/claude-script.ts';
import { deepIt } from '../../support/deep.ts';
import { judgedGates } from '../../support/judged-gates.ts';
import { CHECK, finishes, honest, openLoopStage } from '../../support/loop-stage.ts';
import { iterationsOf, WORK, WORKED } from '../../support/stage.ts';

vi.setConfig({ maxConcurrency: 4 });

/** Much longer than anything here may take. */
const AGES = 60_000;

describe.concurrent('the time of a loop', () => {
  it('stops an agent in the middle of its work with all its processes; its files stay and are checked', async () => {
    await using stage = await openLoopStage([turn(bash(WORK), tool('exec sleep 1234'), stay)]);
    const run = await stage.loop('--max-time', '10');

    expect(run, run.stderr).toMatchObject({ code: 1, result: { done: false, stop_reason: 'timeout', iterations: 1 } });
    expect(run.ms).toBeLessThan(AGES);
    expect(judgedGates(run).at(-1)).toMatchObject([{ green: true }]);
    expect(iterationsOf(run)).toEqual(['failed']);
    expect(stage.after()).toMatchObject({ changed: WORKED, processes: [] });
  });

  it('stops a check too, which is then red', async () => {
    await using stage = await openLoopStage([honest], { gate: 'test -e work.txt && sleep 1234' });
    const run = await stage.loop('--max-time', '10', '--flaky-retries', '3');

    expect(run, run.stderr).toMatchObject({ code: 1, result: { done: false, stop_reason: 'timeout', iterations: 1 } });
    expect(run.ms).toBeLessThan(AGES);
    expect(judgedGates(run).at(-1)).toMatchObject([{ green: false, ending: { kind: 'stopped', cause: 'deadline' } }]);
    expect(stage.after().processes).toEqual([]);
  });

  deepIt('every gate is run by the same function, with the same deadline')('stops a check of the baseline too', async () => {
    await using stage = await openLoopStage([honest], { gate: 'sleep 1234' });
    const run = await stage.loop('--max-time', '2');
    expect(run).toMatchObject({ code: 1, result: { done: false, stop_reason: 'timeout', iterations: 0 } });
    expect(run.ms).toBeLessThan(AGES);
    expect(stage.after()).toMatchObject({ calls: 0, processes: [] });
  });

  deepIt('every gate is run by the same function, with the same deadline')('stops a check in a fresh checkout too, and the loop is not done', async () => {
    await using stage = await openLoopStage([honest], { gate: 'grep -q done work.txt && case $PWD in *ralph-checkout-*) sleep 1234;; esac' });
    const run = await stage.loop('--max-time', '5', '--verify', 'clean');
    expect(run).toMatchObject({ code: 1, result: { done: false, stop_reason: 'timeout', iterations: 1 } });
    expect(run.ms).toBeLessThan(AGES);
    expect(stage.after().processes).toEqual([]);
  });

  it('ends the wait for a usage limit', async () => {
    await using stage = await openLoopStage([limited(600_000), honest]);
    const run = await stage.loop('--max-time', '10');
    expect(run, run.stderr).toMatchObject({ code: 1, result: { done: false, stop_reason: 'timeout' } });
    expect(run.ms).toBeLessThan(AGES);
    expect(stage.after().calls).toBe(1);
  });

  it('of one iteration stops its agent, and the next prompt says why it failed', async () => {
    await using stage = await openLoopStage([turn(bash('echo half > work.txt'), stay), honest]);
    const run = await stage.loop('--iteration-timeout', '2s', '--max-time', '60');
    expect(iterationsOf(run)).toEqual(['failed', 'green']);
    expect(stage.prompts()[1]).toMatch(/## Execution Error\n\n```\n.*still running after 2 s/);
    expect(stage.prompts()[1]).toContain('+half');
  });

  it('of a check stops it with its children, and the next prompt says so', async () => {
    const gate = 'test "$(cat work.txt 2>/dev/null)" = done && exit 0; sleep 1234 & setsid sleep 1235 & echo begun; wait';
    await using stage = await openLoopStage([finishes('true'), honest], { gate });
    const run = await stage.loop('--check-timeout', '1s', '--no-baseline');
    expect(iterationsOf(run)).toEqual(['red', 'green']);
    expect(stage.prompts()[1]).toMatch(/Timeout \(1 s\)\nbegun/);
    expect(stage.after().processes).toEqual([]);
  });

  it.for([
    ['--max-time', '-5'],
    ['--max-time', 'soon'],
    ['--max-cost', '0'],
    ['--max-cost', 'NaN'],
    ['--max-iterations', '-1'],
  ])('and all other limits must be valid: %s', async ([flag = '', value = '']) => {
    await using stage = await openLoopStage([honest]);
    const run = await stage.ralph('loop', 'Do it.', '--agent', 'claude', '--check', CHECK, flag, value);
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(/^error: /);
    expect(stage.after().calls).toBe(0);
  });
});
