import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdOf, planOf, taskOf } from '../../../test/support/plan-of.ts';
import type { PlanTask, TaskFilter } from '../../journal/words/plan.ts';
import { admits, selectTask, standingOf } from './select-task.ts';
import type { Hold } from './standing.ts';

const all: TaskFilter = { story: null, milestone: null, tags: [] };
const select = (tasks: readonly PlanTask[], holds: Readonly<Record<string, Hold>> = {}, filter: Partial<TaskFilter> = {}) =>
  selectTask(planOf(tasks), new Map(Object.entries(holds)), { ...all, ...filter });
const chosen = (...asked: Parameters<typeof select>) => {
  const selection = select(...asked);
  return selection.kind === 'task' ? selection.task.id : selection.reason;
};
const nothing = (...asked: Parameters<typeof select>) => {
  const selection = select(...asked);
  if (selection.kind === 'task') throw new Error(`${selection.task.id} was chosen`);
  return selection;
};
const standing = (task: PlanTask, hold?: Hold) => standingOf(planOf([task]), new Map(hold === undefined ? [] : [[task.id, hold]])).get(task.id);

describe('the next task', () => {
  it('has the lowest priority number, wherever it is in the file', () => {
    expect(chosen([taskOf('P1', { priority: 1 }), taskOf('P0', { priority: 0 })])).toBe('P0');
  });

  it('is the first in the file among equal priorities', () => expect(chosen([taskOf('a'), taskOf('b')])).toBe('a'));

  it('may be pending or ready, as long as all its needs are complete', () => {
    expect(chosen([taskOf('done', { status: 'complete' }), taskOf('b', { needs: ['done'] })])).toBe('b');
    expect(chosen([taskOf('first', { priority: 9 }), taskOf('second', { needs: ['first'], status: 'ready' })])).toBe('first');
  });

  it('is never one that is blocked or in progress by its file', () => {
    expect(chosen([taskOf('a', { status: 'blocked' }), taskOf('b', { status: 'in-progress' }), taskOf('c', { priority: 9 })])).toBe('c');
  });

  it('may rely on needs that are done by their registers, where the file is not updated yet', () => {
    const tasks = [taskOf('a'), taskOf('b', { needs: ['a'] })];
    expect(chosen(tasks, { a: holdOf({ state: 'done' }) })).toBe('b');
  });

  it('is never one that asks for labels which the worker does not have, and that is said', () => {
    const tasks = [taskOf('a', { runs_on: ['gpu', 'agent:codex'] }), taskOf('b', { priority: 9 }), taskOf('c', { needs: ['a'] })];
    expect([chosen(tasks), chosen(tasks, {}, { labels: ['gpu'] }), chosen(tasks, {}, { labels: ['agent:codex', 'gpu'] })]).toEqual(['a', 'b', 'a']);
    const done = [...tasks.filter(({ id }) => id !== 'b'), taskOf('b', { status: 'complete' })];
    expect(nothing(done, {}, { labels: ['gpu'] })).toMatchObject({
      ...{ reason: 'all-blocked', held: false, counts: { total: 3, complete: 1 } },
      detail: 'c waits for a, which runs on agent:codex, which this worker does not have; a runs on agent:codex, which this worker does not have',
    });
  });

  it('has no unknown needs', () => expect(chosen([taskOf('a', { needs: ['gone'] })])).toBe('all-blocked'));
});

describe('a task with a register', () => {
  it.each(['alive', 'unknown', 'named'] as const)('is not taken while its holder may be alive: %s', (liveness) => {
    expect(standing(taskOf('a'), holdOf({}, liveness))).toBe('held');
  });

  it('may be taken once its holder is dead or has released it', () => {
    expect(standing(taskOf('a'), holdOf({}, 'dead'))).toBe('ready');
    expect(standing(taskOf('a'), holdOf({ state: 'free' }))).toBe('ready');
    expect(standing(taskOf('a', { needs: ['x'] }), holdOf({ state: 'free' }))).toBe('waiting');
  });

  it('is left for a person after a failure or a conflict, whether its holder lives or not', () => {
    expect(standing(taskOf('a'), holdOf({ state: 'failed' }, 'dead'))).toBe('failed');
    expect(standing(taskOf('a'), holdOf({ state: 'conflict' }, 'dead'))).toBe('conflict');
  });

  it('is not taken while its register cannot be read', () => expect(standing(taskOf('a'), holdOf(null, 'unknown'))).toBe('held'));

  it('counts as held by somebody outside when only the file says in progress, also after a run held it', () => {
    expect(standing(taskOf('a', { status: 'in-progress' }))).toBe('held');
    expect(standing(taskOf('a', { status: 'in-progress' }), holdOf({ state: 'free' }))).toBe('held');
  });

  it('is complete when the file says so, whatever its register says', () => {
    expect(standing(taskOf('a', { status: 'complete' }), holdOf({ state: 'failed' }))).toBe('complete');
  });
});

describe('the filter', () => {
  const task = taskOf('a', { story: 'S-1', milestones: ['M1', 'M2'], tags: ['ui', 'api'] });

  it('admits all tasks when it is empty', () => expect(admits(task, all)).toBe(true));

  it('requires the story, the milestone and every tag', () => {
    expect(admits(task, { story: 'S-1', milestone: 'M2', tags: ['api', 'ui'] })).toBe(true);
    expect(admits(task, { ...all, story: 'S-2' })).toBe(false);
    expect(admits(task, { ...all, milestone: 'M3' })).toBe(false);
    expect(admits(task, { ...all, tags: ['ui', 'db'] })).toBe(false);
  });

  it('does not hide the needs of an admitted task', () => {
    const tasks = [taskOf('a', { story: 'S-1' }), taskOf('b', { story: 'S-2', needs: ['a'] })];
    expect(nothing(tasks, {}, { story: 'S-2' })).toMatchObject({ reason: 'all-blocked', held: false, detail: 'b waits for a, which is ready' });
  });
});

describe('when there is nothing to take', () => {
  it('an empty plan is reported as empty, never as complete', () => {
    expect(nothing([])).toMatchObject({ reason: 'empty', held: false, detail: 'the plan has no tasks', counts: { total: 0, complete: 0 } });
    expect(nothing([], {}, { story: 'S-1' }).reason).toBe('empty');
  });

  it('a filter that admits no task does not make the plan complete', () => {
    const none = nothing([taskOf('a', { status: 'complete' })], {}, { story: 'S-9', tags: ['ui'] });
    expect(none).toMatchObject({ reason: 'none-match', detail: 'no task has story S-9, tag ui' });
  });

  it('all is complete when every admitted task is, whatever the others are', () => {
    const tasks = [taskOf('a', { story: 'S-1', status: 'complete' }), taskOf('b', { story: 'S-1' }), taskOf('c', { story: 'S-2' })];
    expect(nothing(tasks, { b: holdOf({ state: 'done' }) }, { story: 'S-1' })).toMatchObject({ reason: 'all-complete', detail: 'all 2 tasks are complete' });
  });

  it('all is claimed while somebody holds an admitted task', () => {
    const tasks = [taskOf('a'), taskOf('b', { needs: ['a'] }), taskOf('c', { status: 'blocked' })];
    expect(nothing(tasks, { a: holdOf() })).toMatchObject({
      reason: 'all-claimed',
      held: true,
      counts: { total: 3, complete: 0, in_progress: 1, blocked: 2, failed: 0 },
      detail: 'a is held by run-1/1; c is blocked; b waits for a, which is held by run-1/1',
    });
  });

  it('all is blocked when the rest waits for what only a person can change', () => {
    const tasks = [taskOf('a'), taskOf('b'), taskOf('c', { status: 'blocked' }), taskOf('d', { needs: ['e'] }), taskOf('e', { needs: ['a'] })];
    expect(nothing(tasks, { a: holdOf({ state: 'failed' }), b: holdOf({ state: 'conflict' }) })).toMatchObject({
      reason: 'all-blocked',
      held: false,
      counts: { total: 5, complete: 0, in_progress: 0, blocked: 3, failed: 2 },
      detail: 'a has failed; b cannot be merged; c is blocked; and 2 more',
    });
  });

  it('the reason names what a waiting task waits for in the end', () => {
    const tasks = [taskOf('a', { story: 'other' }), taskOf('b', { needs: ['a'] }), taskOf('c', { needs: ['b'], story: 'S' })];
    expect(nothing(tasks, { a: holdOf({ state: 'failed' }) }, { story: 'S' }).detail).toBe('c waits for a, which has failed');
    expect(nothing([taskOf('x', { needs: ['gone'] })]).detail).toBe('x waits for gone, which is not in the plan');
    expect(nothing([taskOf('x', { needs: ['y'] }), taskOf('y', { needs: ['x'] })]).detail).toBe('x waits for itself; y waits for itself');
  });

  it('the reason says why nobody can take a task that nobody visibly holds', () => {
    expect(nothing([taskOf('a')], { a: holdOf(null, 'unknown') }).detail).toBe('a has a register that cannot be read');
    expect(nothing([taskOf('a', { status: 'in-progress' })]).detail).toBe('a is in progress by its file');
  });

  it('the reason stays on one short line, whatever the tasks are called', () => {
    const { detail } = nothing([taskOf(`a\n\u001b[31m${'x'.repeat(10_000)}`, { status: 'blocked' })]);
    expect(detail).not.toMatch(/\p{Cc}/u);
    expect(detail.length).toBeLessThan(200);
  });
});

describe('whether more may become ready without help', () => {
  const tasks = [taskOf('a', { story: 'S-1' }), taskOf('b', { story: 'S-2', status: 'blocked' })];
  const held = (hold: Hold) => nothing(tasks, { a: hold, b: holdOf({ state: 'failed' }) }, { story: 'S-2' }).held;

  it('is true while a run that may be alive holds any task, admitted or not', () => {
    expect(held(holdOf())).toBe(true);
    expect(held(holdOf({}, 'unknown'))).toBe(true);
  });

  it('is false while only people, scripts or dead runs hold one', () => {
    expect(held(holdOf({}, 'named'))).toBe(false);
    expect(held(holdOf({}, 'dead'))).toBe(false);
    expect(held(holdOf(null, 'unknown'))).toBe(false);
    expect(held(holdOf({ holder: null }, 'unknown'))).toBe(false);
  });
});

describe('for any plan and any registers', () => {
  const statuses = fc.constantFrom('pending', 'ready', 'in-progress', 'complete', 'blocked');
  const task = fc.record({ status: statuses, priority: fc.integer({ min: 0, max: 3 }), needs: fc.array(fc.integer({ min: 0, max: 11 }), { maxLength: 3 }) });
  const state = fc.constantFrom('held', 'free', 'done', 'failed', 'conflict');
  const hold = fc.oneof(fc.constant(null), fc.record({ state, liveness: fc.constantFrom('alive', 'dead', 'unknown', 'named') }));
  const world = fc.tuple(fc.array(task, { maxLength: 12 }), fc.array(hold, { maxLength: 12 }));

  it('only a free task with all its needs is taken, and otherwise every task is accounted for', () => {
    fc.assert(
      fc.property(world, ([drawn, registers]) => {
        const tasks = drawn.map(({ needs, ...rest }, n) => taskOf(`t${n}`, { ...rest, needs: needs.map((need) => `t${need}`) }));
        const holds = Object.fromEntries(registers.flatMap((each, n) => (each === null ? [] : [[`t${n}`, holdOf({ state: each.state }, each.liveness)]])));
        const selection = select(tasks, holds);
        const isDone = (id: string) => tasks.some((each) => each.id === id && each.status === 'complete') || holds[id]?.register?.state === 'done';
        if (selection.kind === 'nothing') {
          const { total, complete, in_progress, blocked, failed } = selection.counts;
          expect(complete + in_progress + blocked + failed).toBe(total);
          expect(selection.reason === 'all-complete').toBe(total > 0 && tasks.every(({ id }) => isDone(id)));
          return;
        }
        const { id, status, needs } = selection.task;
        expect(['pending', 'ready']).toContain(status);
        expect(needs.every(isDone)).toBe(true);
        const hold = holds[id];
        expect(hold === undefined || hold.register?.state === 'free' || (hold.register?.state === 'held' && hold.liveness === 'dead')).toBe(true);
      }),
      { seed: 6, numRuns: 2000 },
    );
  });
});

it('100,000 tasks with 300,000 needs take linear time, not quadratic', () => {
  const id = (n: number) => `t${n}`;
  const tasks = Array.from({ length: 100_000 }, (_, n) => taskOf(id(n), { needs: [1, 2, 7].flatMap((back) => (n >= back ? [id(n - back)] : [])) }));
  expect(chosen(tasks)).toBe('t0');
  expect(nothing(tasks, { t0: holdOf({ state: 'failed' }) })).toMatchObject({ reason: 'all-blocked', counts: { blocked: 99_999 } });
});

describe('a task that is done by its register, but not by the file', () => {
  const plan = planOf([taskOf('A'), taskOf('B', { needs: ['A'] })]);
  const doneBy = (done?: 'here' | 'elsewhere' | 'undone') => new Map([['A', { ...holdOf({ state: 'done' }), ...(done && { done }) }]]);

  it('is complete where the checkout could not follow the base', () => {
    expect([...standingOf(plan, doneBy()).values()]).toEqual(['complete', 'ready']);
    expect([...standingOf(plan, doneBy('here')).values()]).toEqual(['complete', 'ready']);
  });

  it('is neither complete nor done again on a branch without its result', () => {
    expect([...standingOf(plan, doneBy('elsewhere')).values()]).toEqual(['blocked', 'waiting']);
    expect(selectTask(plan, doneBy('elsewhere'), all)).toMatchObject({ reason: 'all-blocked', detail: expect.stringContaining('on another branch') });
  });

  it('is ready again where a person has set it back', () => {
    expect([...standingOf(plan, doneBy('undone')).values()]).toEqual(['ready', 'waiting']);
  });
});
