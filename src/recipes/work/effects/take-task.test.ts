import { describe, expect, it } from 'vitest';
import { holdingStage, inProcess, OURS, PLAN_PATH, processNumbered, workerOf } from '../../../../test/support/holding-stage.ts';
import { planOf, taskOf } from '../../../../test/support/plan-of.ts';
import { never } from '../../../../test/support/process-request.ts';
import type { PlanPorts } from '../../../engine/ports/ports.ts';
import type { TakeTask } from '../../../journal/effects/work-effect.ts';
import type { PlanProblem } from '../../../journal/words/plan.ts';
import { registerName } from '../../../plans/graph/standing.ts';
import { holdTask, resetTask } from '../../../plans/holds/hold-task.ts';
import { takeTask } from './take-task.ts';

const report = async () => undefined;
const taking = (key = 'take:1', lane = 1): TakeTask => ({ kind: 'take-task', key, iteration: 0, attempt: 0, lane });
const take = (ports: PlanPorts, effect = taking()) => takeTask.perform(effect, ports, report, never);
const them = workerOf('q', 1, processNumbered(2));
const theirs = (task: string) => ({ planPath: PLAN_PATH, task, holder: them, key: 'take:7', nowMs: 5 });

describe('taking a task', () => {
  it('takes the first ready task, with its gates of the start, and audits it', async () => {
    const { ports, now, audited } = holdingStage({ tasks: [taskOf('late', { priority: 2 }), taskOf('first', { verify: ['make'] })] });
    expect(await take(ports)).toEqual({
      type: 'task.taken',
      key: 'take:1',
      lane: 1,
      task: taskOf('first', { verify: ['make', 'as at the start'] }),
      n: 1,
      tries: 0,
      feedback: '',
      from: null,
      prompt: null,
      open: 2,
      total: 2,
      complete: 0,
      plan: { whole: true, tasks: ['late', 'first'].map((id) => ({ id, title: `Title of ${id}`, needs: [], standing: 'ready' })) },
    });
    expect(await now('first')).toMatchObject({ n: 1, register: { state: 'held', key: 'take:1', holder: workerOf('r', 1, OURS) } });
    expect(audited).toEqual([
      {
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        event: 'claimed',
        task_id: 'first',
        old_status: 'pending',
        new_status: 'in-progress',
        worktree: '/nowhere',
        trigger: 'r/1',
      },
    ]);
  });

  it('tries the next when another was faster, and stops when all are gone', async () => {
    const { ports, crew } = holdingStage({ tasks: [taskOf('a'), taskOf('b'), taskOf('c')] });
    let looks = 0;
    const getMany = async () => {
      looks += 1;
      return new Map();
    };
    const late = { ...ports, work: { ...crew, registers: { ...crew.registers, getMany } } };
    await holdTask(crew, theirs('a'));
    await holdTask(crew, theirs('b'));
    expect(await take(late)).toMatchObject({ type: 'task.taken', task: { id: 'c' }, n: 1 });
    expect(await take(late, taking('take:2', 2))).toMatchObject({ type: 'task.none', reason: 'all-claimed', held: true });
    // Once for the first, and twice for the second, which lost them all.
    expect(looks).toBe(3);
  });

  it('takes over from a dead holder under the next number, and continues its branch', async () => {
    const { ports, crew, die } = holdingStage({ tasks: [taskOf('a')] });
    await holdTask(crew, theirs('a'));
    expect(await take(ports)).toMatchObject({ type: 'task.none', reason: 'all-claimed', held: true });
    die(2);
    expect(await take(ports)).toMatchObject({ type: 'task.taken', n: 2, from: 'ralph/a.1' });
  });

  it.each([1, 2])('of a run that died with its work on the base finishes it, and takes the next, after %i deaths', async (deaths) => {
    const { ports, crew, die, now } = holdingStage({ tasks: [taskOf('a'), taskOf('b')], merged: ['a.1'] });
    for (let pid = 2; pid < 2 + deaths; pid += 1) {
      await holdTask(crew, { ...theirs('a'), holder: workerOf('q', 1, processNumbered(pid)) });
      die(pid);
    }
    expect(await take(ports)).toMatchObject({ type: 'task.taken', task: { id: 'b' }, n: 1 });
    expect(await now('a')).toMatchObject({ n: deaths + 2, register: { state: 'done' } });
  });

  it('that was reset while its work landed counts as done, and one whose result a person wants again does not', async () => {
    const { ports, crew, die, now } = holdingStage({ tasks: [taskOf('a'), taskOf('b')], merged: ['a.1', 'b.1'] });
    await holdTask(crew, theirs('a'));
    await resetTask(crew, { planPath: PLAN_PATH, task: 'a', nowMs: 1 });
    const done = { state: 'done', holder: them, key: '', at: 1, branch: 'ralph/b.1', base: 'c1', tries: 0, feedback: '' };
    await crew.registers.put(registerName(PLAN_PATH, 'b'), 1, done);
    await holdTask(crew, { ...theirs('b'), undone: 1 });
    die(2);
    expect(await take(ports)).toMatchObject({ type: 'task.taken', task: { id: 'b' }, n: 3 });
    expect(await now('a')).toMatchObject({ register: { state: 'done', base: 'c1' } });
  });

  it('passes on the feedback for the last holder', async () => {
    const { ports, crew } = holdingStage({ tasks: [taskOf('a')] });
    const fate = { state: 'free', holder: them, key: '', at: 1, branch: 'ralph/a.1', base: 'c0', tries: 2, feedback: 'red' };
    await crew.registers.put(registerName(PLAN_PATH, 'a'), 1, fate);
    expect(await take(ports)).toMatchObject({ n: 2, tries: 2, feedback: 'red', from: 'ralph/a.1' });
  });

  it('follows the filter, and says why there is nothing', async () => {
    const { ports } = holdingStage({
      tasks: [taskOf('a', { story: 'S-1' }), taskOf('b', { story: 'S-2', needs: ['a'] })],
      spec: { filter: { story: 'S-2', milestone: null, tags: [] } },
    });
    expect(await take(ports)).toMatchObject({ type: 'task.none', reason: 'all-blocked', held: false, counts: { total: 1, complete: 0, blocked: 1 } });
  });

  it('skips tasks that are failed, in conflict, unreadable, or held outside Ralph', async () => {
    const { ports, registers, crew } = holdingStage({
      tasks: [taskOf('failed'), taskOf('conflict'), taskOf('spoilt'), taskOf('outside', { status: 'in-progress' })],
    });
    for (const state of ['failed', 'conflict']) {
      const fate = { state, holder: null, key: '', at: 1, branch: null, base: null, tries: 1, feedback: '' };
      await registers.put(registerName(PLAN_PATH, state), 1, fate);
    }
    await holdTask(crew, theirs('spoilt'));
    registers.spoil(registerName(PLAN_PATH, 'spoilt'));
    expect(await take(ports)).toMatchObject({ type: 'task.none', held: false, counts: { total: 4, in_progress: 2, failed: 2 } });
  });
});

describe('a plan that cannot be worked on', () => {
  const problem = (line: number | null, message: string): PlanProblem => ({ file: 'task-graph.yaml', line, message, task: null });

  it('is reported with the first problem, its place, and the number of others', async () => {
    const { ports, plan } = holdingStage();
    plan.rewrite(null, [problem(7, 'no such node "x"')]);
    expect(await take(ports)).toEqual({ type: 'plan.troubled', key: 'take:1', why: 'task-graph.yaml:7: no such node "x"' });
    plan.rewrite(planOf([taskOf('a')]), [problem(null, 'it is torn'), problem(8, 'b'), problem(9, 'c')]);
    expect(await take(ports)).toMatchObject({ type: 'plan.troubled', why: 'task-graph.yaml: it is torn (and 2 more)' });
  });

  it('is reported when it is missing, and worked on once it exists', async () => {
    const { ports, plan } = holdingStage();
    plan.rewrite(null);
    expect(await take(ports)).toMatchObject({ type: 'plan.troubled', why: 'task-graph.yaml does not exist' });
    plan.rewrite(planOf([taskOf('a')]));
    expect(await take(ports)).toMatchObject({ type: 'task.taken' });
  });
});

describe('a task that was taken before the loop died', () => {
  const tasks = [taskOf('a'), taskOf('b')];
  const later = processNumbered(9);

  it('is found by its key, and held by the new process', async () => {
    const { ports, now, die, crew } = holdingStage({ tasks });
    const taken = await take(ports);
    die(OURS.pid);
    const found = await takeTask.find(taking(), inProcess(ports, later));
    expect({ plan: expect.anything(), ...found }).toEqual({ ...taken, n: 2, plan: expect.anything() });
    expect(await now('a')).toMatchObject({ n: 2, register: { state: 'held', key: 'take:1', holder: { name: 'r/1', process: later } } });
    expect(await holdTask(crew, theirs('a'))).toMatchObject({ kind: 'taken' });
  });

  it('is found again and again, however often the loop dies', async () => {
    const { ports, die } = holdingStage({ tasks });
    await take(ports);
    die(OURS.pid);
    await takeTask.find(taking(), inProcess(ports, later));
    die(later.pid);
    expect(await takeTask.find(taking(), inProcess(ports, processNumbered(10)))).toMatchObject({ task: { id: 'a' }, n: 3 });
  });

  it('is not found when it was never taken, when another holds it, or when it was reset', async () => {
    const { ports, crew, die } = holdingStage({ tasks });
    expect(await takeTask.find(taking(), ports)).toBeNull();
    await take(ports);
    expect(await takeTask.find(taking('take:2'), ports)).toBeNull();
    expect(await takeTask.find(taking('take:1', 2), ports)).toBeNull();
    die(OURS.pid);
    await holdTask(crew, { ...theirs('a'), key: 'take:1' });
    expect(await takeTask.find(taking(), inProcess(ports, later))).toBeNull();
    await resetTask(crew, { planPath: PLAN_PATH, task: 'a', nowMs: 6 });
    expect(await takeTask.find(taking(), inProcess(ports, later))).toBeNull();
  });

  it('is not found while the plan cannot be read; then nobody holds it', async () => {
    const { ports, plan, die } = holdingStage({ tasks });
    await take(ports);
    die(OURS.pid);
    plan.rewrite(null);
    expect(await takeTask.find(taking(), inProcess(ports, later))).toBeNull();
    plan.rewrite(planOf(tasks));
    expect(await take(inProcess(ports, later))).toMatchObject({ task: { id: 'a' }, n: 2 });
  });
});
