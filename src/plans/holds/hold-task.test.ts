import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdingStage, OURS, PLAN_PATH, processNumbered, workerOf } from '../../../test/support/holding-stage.ts';
import { manyRuns } from '../../../test/support/patience.ts';
import { planOf, taskOf } from '../../../test/support/plan-of.ts';
import type { TaskRegister } from '../../journal/words/task-register.ts';
import { type Hold, selectTask } from '../graph/select-task.ts';
import { registerName } from '../graph/standing.ts';
import { readHolds, readyTasks } from './hold-of.ts';
import { holdTask, releaseHold, resetTask } from './hold-task.ts';

const PERSON = { name: 'ada', run: null, lane: null, process: null };
const us = workerOf('r', 1, OURS);
const them = workerOf('q', 2, processNumbered(2));
const request = (over: object = {}) => ({ planPath: PLAN_PATH, task: 'a', holder: us, key: 'take:1', nowMs: 1_000, ...over });
const fate = (over: Partial<TaskRegister> = {}): TaskRegister => ({
  state: 'free',
  holder: us,
  key: 'release:1',
  at: 2_000,
  branch: 'ralph/a.1',
  base: 'c0',
  tries: 1,
  feedback: 'the tests were red',
  ...over,
});
const ofTask = (n: number) => ({ planPath: PLAN_PATH, task: 'a', n });

describe('a task that nobody ever held', () => {
  it('is held under number one', async () => {
    const { crew, now } = holdingStage();
    expect(await holdTask(crew, request())).toMatchObject({ kind: 'held', n: 1, register: null });
    expect(await now('a')).toEqual({
      n: 1,
      register: { state: 'held', holder: us, key: 'take:1', at: 1_000, branch: null, base: null, tries: 0, feedback: '' },
    });
  });
});

describe('a held task', () => {
  it('is left alone, and its holder is named', async () => {
    const { crew, now } = holdingStage();
    await holdTask(crew, request({ holder: them }));
    expect(await holdTask(crew, request())).toMatchObject({ kind: 'taken', by: { n: 1, liveness: 'alive', register: { holder: them } } });
    expect(await now('a')).toMatchObject({ n: 1, register: { holder: them } });
  });

  it('cannot be taken again by its own holder either', async () => {
    const { crew } = holdingStage();
    await holdTask(crew, request());
    expect(await holdTask(crew, request())).toMatchObject({ kind: 'taken', by: { n: 1 } });
  });

  it('stays with a person, and with a holder whose liveness is unknown', async () => {
    const { crew } = holdingStage();
    await holdTask(crew, request({ holder: PERSON }));
    await holdTask(crew, request({ task: 'b', holder: workerOf('x', 1, { ...processNumbered(7), host: 'elsewhere' }) }));
    expect(await holdTask(crew, request())).toMatchObject({ kind: 'taken', by: { liveness: 'named' } });
    expect(await holdTask(crew, request({ task: 'b' }))).toMatchObject({ kind: 'taken', by: { liveness: 'unknown' } });
  });

  it("is taken under the next number once its holder is dead, with the dead holder's branch", async () => {
    const { crew, die, now } = holdingStage();
    await holdTask(crew, request({ holder: them }));
    die(2);
    expect(await holdTask(crew, request())).toMatchObject({ kind: 'held', n: 2, register: { holder: them }, held: { branch: 'ralph/a.1' } });
    expect(await now('a')).toMatchObject({ n: 2, register: { holder: us, branch: 'ralph/a.1' } });
  });

  it('cannot be taken when its register cannot be read', async () => {
    const { crew, registers } = holdingStage();
    await holdTask(crew, request({ holder: them }));
    registers.spoil(registerName(PLAN_PATH, 'a'));
    expect(await holdTask(crew, request())).toEqual({ kind: 'taken', by: { n: 1, register: null, liveness: 'unknown' } });
  });

  it('cannot be taken when its register has an invalid value', async () => {
    const { crew, registers } = holdingStage();
    for (const [index, value] of [{ state: 'free' }, null, 'free', [], { ...fate(), state: 'unheard of' }].entries()) {
      await registers.put(registerName(PLAN_PATH, `t${index}`), 1, value);
      expect(await holdTask(crew, request({ task: `t${index}` }))).toMatchObject({ kind: 'taken', by: { register: null } });
    }
  });
});

describe('a released task', () => {
  it('passes on the work done so far, and what was wrong', async () => {
    const { crew, now } = holdingStage();
    await holdTask(crew, request());
    expect(await releaseHold(crew, { ...ofTask(1), ...fate() })).toBe(true);
    expect(await now('a')).toEqual({ n: 2, register: fate() });
    expect(await holdTask(crew, request({ holder: them, key: 'take:9' }))).toMatchObject({ kind: 'held', n: 3, register: fate() });
    expect(await now('a')).toMatchObject({ n: 3, register: { branch: 'ralph/a.1', base: 'c0', tries: 1, feedback: 'the tests were red' } });
  });

  it.each(['done', 'failed', 'conflict'] as const)('in the state %s is not taken again', async (state) => {
    const { crew } = holdingStage();
    await holdTask(crew, request());
    await releaseHold(crew, { ...ofTask(1), ...fate({ state }) });
    expect(await holdTask(crew, request())).toMatchObject({ kind: 'taken', by: { n: 2, register: { state } } });
  });

  it('is not changed by a holder with an old number', async () => {
    const { crew, die, now } = holdingStage();
    await holdTask(crew, request({ holder: them }));
    die(2);
    await holdTask(crew, request());
    expect(await releaseHold(crew, { ...ofTask(1), ...fate({ state: 'done', holder: them }) })).toBe(false);
    expect(await now('a')).toMatchObject({ n: 2, register: { state: 'held', holder: us } });
  });

  it('is released once, also when that is asked for twice', async () => {
    const { crew, now } = holdingStage();
    await holdTask(crew, request());
    expect(await releaseHold(crew, { ...ofTask(1), ...fate() })).toBe(true);
    expect(await releaseHold(crew, { ...ofTask(1), ...fate({ state: 'done' }) })).toBe(false);
    expect(await now('a')).toMatchObject({ n: 2, register: { state: 'free' } });
  });
});

describe('a reset', () => {
  it('frees a task whoever holds it, and later writes of that holder are refused', async () => {
    const { crew, now } = holdingStage();
    await holdTask(crew, request({ holder: them }));
    expect(await resetTask(crew, { planPath: PLAN_PATH, task: 'a', nowMs: 5 })).toMatchObject({ n: 1, liveness: 'alive', register: { holder: them } });
    expect(await releaseHold(crew, { ...ofTask(1), ...fate({ holder: them }) })).toBe(false);
    expect(await now('a')).toMatchObject({ n: 2, register: { state: 'free', key: '', at: 5, branch: 'ralph/a.1' } });
  });

  it('restarts the count of tries and keeps the work and the feedback', async () => {
    const { crew, now } = holdingStage();
    await holdTask(crew, request());
    await releaseHold(crew, { ...ofTask(1), ...fate({ state: 'failed', tries: 3 }) });
    await resetTask(crew, { planPath: PLAN_PATH, task: 'a', nowMs: 5 });
    expect(await now('a')).toMatchObject({ n: 3, register: { state: 'free', tries: 0, branch: 'ralph/a.1', base: 'c0', feedback: 'the tests were red' } });
  });

  it('frees a task whose register cannot be read, and does nothing where there is no register', async () => {
    const { crew, registers, now } = holdingStage();
    await holdTask(crew, request());
    registers.spoil(registerName(PLAN_PATH, 'a'));
    expect(await resetTask(crew, { planPath: PLAN_PATH, task: 'a', nowMs: 5 })).toMatchObject({ n: 1, register: null });
    expect(await now('a')).toMatchObject({ n: 2, register: { state: 'free', holder: null } });
    expect(await resetTask(crew, { planPath: PLAN_PATH, task: 'b', nowMs: 5 })).toBeNull();
  });
});

describe('the registers of a plan', () => {
  it('are read for tasks that are not complete by the file, without those that nobody ever held', async () => {
    const { crew, registers, plan } = holdingStage({ tasks: [taskOf('a'), taskOf('b', { status: 'complete' }), taskOf('c'), taskOf('d')] });
    for (const task of ['a', 'b', 'd', 'elsewhere']) await holdTask(crew, request({ task }));
    registers.spoil(registerName(PLAN_PATH, 'd'));
    const reading = await plan.read();
    if (!reading?.plan) throw new Error('there is a plan');
    const holds = await readHolds(crew, PLAN_PATH, reading.plan);
    expect([...holds.keys()].sort()).toEqual(['a', 'd']);
    expect(holds.get('a')).toMatchObject({ n: 1, liveness: 'alive', register: { holder: us } });
    expect(holds.get('d')).toEqual({ n: 1, liveness: 'unknown', register: null });
  });

  it('cause one liveness check for each process', async () => {
    const tasks = Array.from({ length: 50 }, (_, n) => taskOf(`t${n}`));
    const { crew, plan } = holdingStage({ tasks });
    for (const [n, { id }] of tasks.entries()) await holdTask(crew, request({ task: id, holder: workerOf('q', n + 1, processNumbered(2 + (n % 2))) }));
    const asked: number[] = [];
    const livenessOf = ({ pid }: { readonly pid: number }) => {
      asked.push(pid);
      return 'alive' as const;
    };
    const reading = await plan.read();
    if (!reading?.plan) throw new Error('there is a plan');
    expect((await readHolds({ ...crew, livenessOf }, PLAN_PATH, reading.plan)).size).toBe(50);
    expect(asked.sort()).toEqual([2, 3]);
  });
});

describe('the ready tasks', () => {
  const TASK = fc.record({
    priority: fc.integer({ min: 0, max: 2 }),
    story: fc.constantFrom(null, 'S'),
    status: fc.constantFrom('pending' as const, 'complete' as const, 'blocked' as const),
    needs: fc.array(fc.integer({ min: 0, max: 7 }).map(String), { maxLength: 1 }),
  });

  it('come in the order in which they would be selected one after the other', () => {
    fc.assert(
      fc.property(fc.array(TASK, { maxLength: 8 }), fc.constantFrom(null, 'S'), (fields, story) => {
        const plan = planOf(fields.map((field, index) => taskOf(String(index), field)));
        const filter = { story, milestone: null, tags: [] };
        const held = new Map<string, Hold>();
        for (const task of readyTasks(plan, held, filter)) {
          expect(selectTask(plan, held, filter)).toEqual({ kind: 'task', task });
          held.set(task.id, { n: 1, register: null, liveness: 'unknown' });
        }
        expect(selectTask(plan, held, filter).kind).toBe('nothing');
      }),
      manyRuns(100),
    );
  });
});
