import { describe, expect, it } from 'vitest';
import { holdingStage, inProcess, OURS, PLAN_PATH, processNumbered, workerOf } from '../../../../test/support/holding-stage.ts';
import { never } from '../../../../test/support/process-request.ts';
import type { ReleaseTask } from '../../../journal/effects/work-effect.ts';
import { registerName } from '../../../plans/graph/standing.ts';
import { holdTask, resetTask } from '../../../plans/holds/hold-task.ts';
import { releaseTask } from './release-task.ts';

const us = workerOf('r', 2, OURS);
const releasing = (over: Partial<ReleaseTask> = {}): ReleaseTask => ({
  kind: 'release-task',
  key: 'release:4',
  iteration: 4,
  attempt: 0,
  task: 'a',
  n: 1,
  state: 'free',
  branch: 'ralph/a.1',
  base: 'c0',
  tries: 1,
  feedback: 'the tests were red',
  ...over,
});
const released = { type: 'task.released', key: 'release:4', iteration: 4, task: 'a', state: 'free' };

/** A worker of ours holds the task. */
async function stageWithHold() {
  const stage = holdingStage();
  await holdTask(stage.crew, { planPath: PLAN_PATH, task: 'a', holder: us, key: 'take:1', nowMs: 1 });
  return { ...stage, release: (over: Partial<ReleaseTask> = {}) => releaseTask.perform(releasing(over), stage.ports, async () => undefined, never) };
}

describe('releasing a task', () => {
  it('records its result and who did it, and audits it', async () => {
    const { release, now, audited } = await stageWithHold();
    expect(await release(), 'with why no other task can be taken').toEqual({ ...released, was_ours: true, none: expect.objectContaining({ held: false }) });
    const kept = { branch: 'ralph/a.1', base: 'c0', tries: 1, feedback: 'the tests were red' };
    expect(await now('a')).toMatchObject({ n: 2, register: { state: 'free', holder: us, key: 'release:4', ...kept } });
    expect(audited).toMatchObject([{ event: 'released', task_id: 'a', old_status: 'in-progress', new_status: 'ready', trigger: 'r/2' }]);
  });

  it.each([
    ['done', 'completed', 'complete'],
    ['failed', 'released', 'failed'],
    ['conflict', 'released', 'conflict'],
  ] as const)('as %s is audited as %s', async (state, event, new_status) => {
    const { release, now, audited } = await stageWithHold();
    expect(await release({ state })).toMatchObject({ state, was_ours: true });
    expect(await now('a')).toMatchObject({ n: 2, register: { state } });
    expect(audited).toMatchObject([{ event, new_status }]);
  });

  it('that is no longer ours changes nothing, and is not audited', async () => {
    const { release, now, audited, crew } = await stageWithHold();
    await resetTask(crew, { planPath: PLAN_PATH, task: 'a', nowMs: 2 });
    await holdTask(crew, { planPath: PLAN_PATH, task: 'a', holder: workerOf('q', 1, processNumbered(2)), key: 'take:1', nowMs: 3 });
    expect(await release({ state: 'done' })).toEqual({ ...released, state: 'done', was_ours: false });
    expect(await now('a')).toMatchObject({ n: 3, register: { state: 'held', holder: { name: 'q/1' } } });
    expect(audited).toEqual([]);
  });

  it('works with a damaged register: the number is ours', async () => {
    const { release, now, registers } = await stageWithHold();
    registers.spoil(registerName(PLAN_PATH, 'a'));
    expect(await release({ state: 'done' })).toMatchObject({ was_ours: true });
    expect(await now('a')).toMatchObject({ n: 2, register: { state: 'done', holder: { run: 'r' } } });
  });
});

describe('a task that was released before the loop died', () => {
  it('is found by the key in its register', async () => {
    const { release, ports } = await stageWithHold();
    await release();
    expect(await releaseTask.find(releasing(), inProcess(ports, processNumbered(9)))).toEqual({ ...released, was_ours: true });
  });

  it('is released again if it was not, and refused if another holds it by then', async () => {
    const { release, ports, crew } = await stageWithHold();
    expect(await releaseTask.find(releasing(), ports)).toBeNull();
    await release();
    await holdTask(crew, { planPath: PLAN_PATH, task: 'a', holder: workerOf('q', 1, processNumbered(2)), key: 'take:1', nowMs: 3 });
    expect(await releaseTask.find(releasing(), ports)).toBeNull();
    expect(await release()).toMatchObject({ was_ours: false });
  });
});
