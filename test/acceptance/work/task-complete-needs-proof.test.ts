import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { thisProcess } from '../../../src/runs/this-process.ts';
import { startRalph } from '../../support/ralph.ts';
import { until } from '../../support/until.ts';
import { graphOf, laneOf, type Node, openTaskStage, type TaskStage } from './task-stage.ts';

let stage: TaskStage;
beforeEach(async () => {
  stage = await openTaskStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

async function planned(fields: Omit<Node, 'id'>): Promise<void> {
  await stage.place.write('task-graph.yaml', graphOf([{ id: 'T-1', ...fields }, { id: 'T-2' }], [['T-1', 'T-2']]));
}

async function commit(file: string, content: string): Promise<void> {
  await stage.place.write(file, content);
  stage.place.git('add', '-A');
  stage.place.git('commit', '-q', '-m', file);
}

const events = () => stage.audit().map(({ event }) => event);

describe('a task is complete', () => {
  it('once it is reported, and the command names the tasks that became ready', async () => {
    await stage.task('claim', 'T-1');
    expect(await stage.task('complete', 'T-1')).toMatchObject({ code: 0, stdout: '✓ T-1 marked complete\n  → T-2 is now ready\n' });
    expect(stage.plan()).toMatch(/# the tasks[\s\S]*"T-1".*complete/);
    expect(await stage.json('next')).toMatchObject({ task: { id: 'T-2' } });
    expect(stage.audit().at(-1)).toMatchObject({ event: 'completed', task_id: 'T-1', old_status: 'pending', new_status: 'complete' });
  });

  it('also if nobody claimed it, and reporting it twice does no harm', async () => {
    expect((await stage.task('complete', 'T-1')).code).toBe(0);
    const after = stage.everything();
    expect(await stage.task('complete', 'T-1')).toMatchObject({ code: 0, stdout: '✓ T-1 is already complete\n' });
    expect(stage.everything()).toBe(after);
  });

  it('when its outputs are committed, and its verify commands and those of the plan are green', async () => {
    await planned({ output: 'out.txt, made/', verify: ['grep -q hello out.txt', 'test "$(pwd)" = "$(git rev-parse --show-toplevel)"'] });
    await commit('out.txt', 'hello '.repeat(50));
    await commit('made/a', 'a');
    const run = await stage.task('complete', 'T-1');
    expect(run).toMatchObject({ code: 0, stderr: expect.stringMatching(/→ grep -q hello out.txt\n {2}✓ grep -q hello out.txt \(/) });
  });

  it('in the register at once, and in the plan when it is reported again', async () => {
    await stage.task('complete', 'T-1');
    stage.place.git('checkout', '-q', 'task-graph.yaml');
    expect(await stage.json('show', 'T-1')).toMatchObject({ state: 'complete', status: 'pending' });
    expect((await stage.task('complete', 'T-1')).code).toBe(0);
    expect(await stage.json('show', 'T-1')).toMatchObject({ status: 'complete' });
  });
});

describe('a task is not complete', () => {
  const refused = async (error: string, ...more: readonly string[]) => {
    const before = stage.plan();
    const run = await stage.task('complete', 'T-1', ...more);
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(`error: ${error}`) });
    expect(stage.plan()).toBe(before);
    expect(stage.registers()).toEqual([]);
    expect(events()).toEqual(['complete-blocked']);
  };

  it('without its output', async () => {
    await planned({ output: 'out.txt' });
    await refused('Output file missing: out.txt\n');
  });

  it('with an empty output', async () => {
    await planned({ output: 'out.txt, made/' });
    await commit('out.txt', '');
    await stage.place.write('made/.keep', '');
    await refused('Output file is empty: out.txt; Output directory is empty: made/\n');
  });

  it('with an uncommitted output', async () => {
    await planned({ output: 'out.txt' });
    await stage.place.write('out.txt', 'x'.repeat(200));
    await refused('Output is not committed: out.txt\n');
  });

  it('with an output that was changed since', async () => {
    await planned({ output: 'out.txt' });
    await commit('out.txt', 'x'.repeat(200));
    await stage.place.write('out.txt', 'y'.repeat(200));
    await refused('Output has uncommitted changes: out.txt\n');
  });

  it('with an output that leads out of the repository', async () => {
    await planned({ output: '../beside' });
    const run = await stage.task('complete', 'T-1');
    expect(run.code).toBe(2);
  });

  it('while its verify command is red, with the output of the command', async () => {
    await planned({ verify: ['true', 'echo "error: it is broken"; exit 3', 'touch never'] });
    await refused('echo "error: it is broken"; exit 3 is red (exit 3): error: it is broken\n');
  });

  it('when a command takes too long', async () => {
    await planned({ verify: ['sleep 60'] });
    await refused('sleep 60 is red', '--verify-timeout', '1s');
  });
});

describe('a task cannot be completed', () => {
  it('while it waits for others', async () => {
    expect(await stage.task('complete', 'T-3')).toMatchObject({ code: 2, stderr: expect.stringContaining('error: T-3 waits for T-2 (waiting)\n') });
  });

  it('while a live run or another person holds it', async () => {
    await stage.taskIn({ env: laneOf(thisProcess()) }, 'claim', 'T-1');
    expect(await stage.task('complete', 'T-1')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/T-1 is held by run-1\/1 since .*: it is theirs to complete/),
    });
    await stage.task('reset', 'T-1', '--force');
    await stage.taskIn({ env: { RALPH_WORKER: 'anna' } }, 'claim', 'T-1');
    expect((await stage.taskIn({ env: { RALPH_WORKER: 'ben' } }, 'complete', 'T-1')).code).toBe(2);
    expect((await stage.taskIn({ env: { RALPH_WORKER: 'anna' } }, 'complete', 'T-1')).code).toBe(0);
  });

  it('except with --force, which is recorded', async () => {
    await planned({ output: 'out.txt', verify: ['false'] });
    await stage.taskIn({ env: laneOf(thisProcess()) }, 'claim', 'T-1');
    expect(await stage.json('complete', 'T-1', '--force')).toMatchObject({ task: 'T-1', result: 'completed', forced: true, unlocked: ['T-2'] });
    expect(events()).toEqual(['claimed', 'force-completed']);
  });
});

it('an interrupted ralph task complete leaves nothing running and writes nothing', async () => {
  await planned({ verify: ['touch ../beside/begun; sleep 300'] });
  const running = startRalph(['task', 'complete', 'T-1'], { cwd: stage.place.path });
  await until('the command runs', () => stage.place.everything().includes(join('beside', 'begun')));
  running.child.kill('SIGINT');
  expect(await running.ended).toMatchObject({ code: 130, stderr: expect.stringContaining('Interrupted; T-1 is as it was.') });
  expect(stage.registers()).toEqual([]);
});

it('ralph task works outside of git, with registers beside the settings', async () => {
  await rm(join(stage.place.path, '.git'), { recursive: true });
  await planned({ output: 'readme.txt' });
  expect((await stage.task('claim', 'T-1')).code).toBe(0);
  expect((await stage.task('claim', 'T-1')).code).toBe(2);
  expect((await stage.task('complete', 'T-1')).code).toBe(0);
  expect(stage.place.everything().some((path) => path.startsWith('place/.ralph/registers/'))).toBe(true);
});
