import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { thisProcess } from '../../../src/runs/this-process.ts';
import { graphOf, laneOf, openTaskStage, type TaskStage } from './task-stage.ts';

let stage: TaskStage;
beforeEach(async () => {
  stage = await openTaskStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

describe('ralph task reset frees a task', () => {
  it('that a person or a script held', async () => {
    await stage.taskIn({ env: { RALPH_WORKER: 'anna' } }, 'claim', 'T-1');
    expect(await stage.task('reset', 'T-1')).toMatchObject({ code: 0, stdout: '✓ T-1 reset to ready (was: in-progress)\n', stderr: '' });
    expect(await stage.json('claim', 'T-1')).toMatchObject({ n: 3 });
    expect(stage.audit()[1]).toMatchObject({ event: 'reset', task_id: 'T-1', old_status: 'in-progress', new_status: 'ready' });
  });

  it('that a dead run held', async () => {
    await stage.taskIn({ env: laneOf({ ...thisProcess(), start_time: '1' }) }, 'claim', 'T-1');
    expect((await stage.task('reset', 'T-1')).code).toBe(0);
  });

  it.each(['in-progress', 'blocked'])('that the plan calls %s', async (status) => {
    await stage.place.write('task-graph.yaml', graphOf([{ id: 'T-1', status }], []));
    expect(await stage.task('reset', 'T-1')).toMatchObject({ code: 0, stdout: `✓ T-1 reset to ready (was: ${status})\n` });
    expect(stage.plan()).toMatch(/# the tasks[\s\S]*"T-1".*ready/);
    expect((await stage.task('claim', 'T-1')).code).toBe(0);
  });

  it('that was already free, without changing the plan', async () => {
    const before = stage.plan();
    expect(await stage.task('reset', 'T-1')).toMatchObject({ code: 0, stdout: '✓ T-1 reset to ready (was: ready)\n' });
    expect(stage.plan()).toBe(before);
  });
});

it('the plan that was worked on last is meant where none is at a usual place', async () => {
  const file = 'todo/for-tonight.md';
  await stage.place.write(file, '- [ ] Paint the shed\n');
  stage.place.git('rm', '-q', 'task-graph.yaml');
  stage.place.git('add', '-A');
  stage.place.git('commit', '-q', '-m', 'another plan');
  expect(await stage.task('reset', 'paint-the-shed')).toMatchObject({ code: 2, stderr: expect.stringContaining('error: there is no plan in ') });
  const work = await stage.place.ralph(['work', '--plan', file, '--agent', 'true', '--no-sandbox', '--check', 'true', '--proof', 'off'], {});
  expect(work.stdout + work.stderr).toContain('ralph task reset paint-the-shed');
  expect(await stage.task('reset', 'paint-the-shed')).toMatchObject({ code: 0, stdout: '✓ paint-the-shed reset to ready (was: failed)\n' });
});

describe('ralph task reset frees only with --force a task', () => {
  it('that a live run works on, and names that run', async () => {
    await stage.taskIn({ env: laneOf(thisProcess()) }, 'claim', 'T-1');
    const run = await stage.task('reset', 'T-1');
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^error: run-1\/1 works on T-1 since \d{4}-/) });
    expect(await stage.json('show', 'T-1')).toMatchObject({ state: 'held', n: 1 });
    expect(await stage.json('reset', 'T-1', '--force')).toEqual({ task: 'T-1', was: 'in-progress', holder: 'run-1/1', state: 'ready' });
    expect(await stage.json('show', 'T-1')).toMatchObject({ state: 'ready', n: 2 });
  });

  it('that is complete', async () => {
    await stage.task('complete', 'T-1');
    expect(await stage.task('reset', 'T-1')).toMatchObject({ code: 2, stderr: expect.stringContaining('error: T-1 is complete\n') });
    expect(await stage.task('reset', 'T-1', '--force')).toMatchObject({ code: 0, stdout: '✓ T-1 reset to ready (was: complete)\n' });
    expect(await stage.json('next')).toMatchObject({ task: { id: 'T-1', status: 'ready' } });
  });
});
