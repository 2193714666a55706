import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { thisProcess } from '../../../src/runs/this-process.ts';
import { graphOf, laneOf, openTaskStage, type TaskStage } from './task-stage.ts';

let stage: TaskStage;
beforeEach(async () => {
  stage = await openTaskStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

const dead = { ...thisProcess(), start_time: '1' };

describe('a claimed task', () => {
  it('is refused to everybody else, in any worktree', async () => {
    const [alpha, beta] = [stage.worktree('alpha'), stage.worktree('beta')];
    expect(await stage.taskIn({ cwd: alpha }, 'claim', 'T-1')).toMatchObject({ code: 0, stderr: '✓ Claimed task: T-1\n', stdout: 'T-1  Lay the base\n' });
    const second = await stage.taskIn({ cwd: beta }, 'claim', 'T-1');
    expect(second).toMatchObject({ code: 2, stdout: '' });
    expect(second.stderr).toMatch(new RegExp(`^error: Task is already claimed by ${hostname()}:alpha at \\d{4}-.*Z\nhint: .*ralph task reset T-1\n$`));
    expect(await stage.task('next')).toMatchObject({ code: 1 });
  });

  it('goes to one of many concurrent callers, and each of the others gets another task', async () => {
    await stage.place.write(
      'task-graph.yaml',
      graphOf(
        Array.from({ length: 8 }, (_, index) => ({ id: `T-${index}` })),
        [],
      ),
    );
    const all = await Promise.all(Array.from({ length: 8 }, (_, index) => stage.taskIn({ env: { RALPH_WORKER: `w${index}` } }, 'next', '--claim', '--json')));
    expect(all.map(({ code }) => code)).toEqual(Array(8).fill(0));
    expect(new Set(all.map(({ stdout }) => JSON.parse(stdout).task.id)).size).toBe(8);
    expect((await stage.task('next')).code).toBe(1);
  });

  it('stays claimed when the plan is edited or rewritten', async () => {
    await stage.taskIn({ env: { RALPH_WORKER: 'me' } }, 'claim', 'T-1');
    await stage.place.write('task-graph.yaml', graphOf([{ id: 'T-9' }, { id: 'T-1' }], []));
    expect(await stage.json('show', 'T-1')).toMatchObject({ state: 'held', n: 1, holder: { name: 'me' } });
    expect((await stage.task('claim', 'T-1')).code).toBe(2);
  });

  it('is not written into the plan', async () => {
    const before = stage.plan();
    await stage.task('next', '--claim');
    expect(stage.plan()).toBe(before);
    expect(stage.place.git('status', '--porcelain')).toBe('');
  });

  it('is shown to its holder, to others who try to claim it, and in lists', async () => {
    const me = { env: { RALPH_WORKER: 'me' } };
    await stage.taskIn(me, 'prompt');
    await stage.taskIn(me, 'claim', 'T-1');
    await stage.taskIn(me, 'claim', 'T-1');
    expect(stage.audit()).toMatchObject([
      { event: 'preview', task_id: 'T-1', old_status: 'pending', new_status: 'pending', trigger: 'me', worktree: 'place' },
      { event: 'claimed', task_id: 'T-1', old_status: 'pending', new_status: 'in-progress', trigger: 'me' },
      { event: 'claim-blocked', task_id: 'T-1', notes: expect.stringContaining('already claimed by me') },
    ]);
  });
});

describe('a worker of a loop', () => {
  it('holds the task under its own name as long as its process lives', async () => {
    expect(await stage.taskIn({ env: laneOf(thisProcess()) }, 'prompt', '--accept', '--json')).toMatchObject({ code: 0 });
    expect(await stage.json('show', 'T-1')).toMatchObject({
      state: 'held',
      liveness: 'alive',
      holder: { name: 'run-1/1', run: 'run-1', lane: 1, process: thisProcess() },
    });
  });

  it('gets the same task again when its command runs again', async () => {
    await stage.place.write('task-graph.yaml', graphOf([{ id: 'T-1' }, { id: 'T-2' }], []));
    const ask = (key: string) => stage.taskIn({ env: laneOf(thisProcess(), key) }, 'next', '--claim', '--json');
    expect(JSON.parse((await ask('k1')).stdout)).toMatchObject({ task: { id: 'T-1' }, n: 1 });
    expect(JSON.parse((await ask('k1')).stdout)).toMatchObject({ task: { id: 'T-1' }, n: 1 });
    expect(JSON.parse((await ask('k2')).stdout)).toMatchObject({ task: { id: 'T-2' }, n: 1 });
  });

  it('that is dead loses it to the next caller, under the next number', async () => {
    await stage.taskIn({ env: laneOf(dead) }, 'claim', 'T-1');
    expect(await stage.json('next', '--claim')).toMatchObject({ task: { id: 'T-1' }, claimed: true, n: 2 });
  });

  it('with an invalid name gets nothing', async () => {
    const run = await stage.taskIn({ env: { RALPH_HOLDER: '{' } }, 'next', '--claim');
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('RALPH_HOLDER is set and names no holder') });
    expect(stage.registers()).toEqual([]);
  });
});

describe('nobody can claim', () => {
  it.each([
    ['one that waits', 'T-2', 'error: Task T-2 waits for T-1 (ready)\n'],
    ['one that is complete', 'T-4', 'error: Task T-4 is already complete\n'],
    ['one that the plan has blocked', 'T-5', 'error: Task T-5 is blocked by the plan\n'],
    ['one that the plan says is in progress', 'T-6', 'error: Task is already claimed by somebody else: the plan has T-6 in progress\n'],
  ])('%s', async (_what, id, error) => {
    const others = [
      { id: 'T-4', status: 'complete' },
      { id: 'T-5', status: 'blocked' },
      { id: 'T-6', status: 'in-progress' },
    ];
    await stage.place.write('task-graph.yaml', graphOf([{ id: 'T-1' }, { id: 'T-2' }, ...others], [['T-1', 'T-2']]));
    const run = await stage.task('claim', id);
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(error) });
    expect((await stage.task('prompt', id, '--claim')).code).toBe(2);
    expect(stage.registers()).toEqual([]);
  });

  it('one whose register cannot be read, until it is reset', async () => {
    await stage.task('claim', 'T-1');
    const [register = ''] = stage.registers();
    await writeFile(join(stage.place.path, '.git/ralph/registers', register), 'rubbish');
    expect(await stage.task('claim', 'T-1')).toMatchObject({ code: 2, stderr: expect.stringContaining('The register of task T-1 cannot be read') });
    expect((await stage.task('next')).code).toBe(1);
    expect((await stage.task('reset', 'T-1')).code).toBe(0);
    expect(await stage.json('claim', 'T-1')).toMatchObject({ n: 3 });
  });
});
