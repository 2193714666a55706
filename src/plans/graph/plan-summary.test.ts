import { describe, expect, it } from 'vitest';
import { holdOf, planOf, taskOf } from '../../../test/support/plan-of.ts';
import type { TaskStatus } from '../../journal/words/plan.ts';
import { countStandings, readyTasks, staleTasks, storyStatuses } from './plan-summary.ts';
import { standingOf } from './select-task.ts';

const STALE_AFTER_MS = 2 * 60 * 60 * 1000;

describe('the state of a story', () => {
  const derived = (...states: readonly TaskStatus[]) => {
    const plan = planOf(
      states.map((status, n) => taskOf(`t${n}`, { status, story: 'S' })),
      { stories: [{ id: 'S', title: '', path: null }] },
    );
    return storyStatuses(plan, standingOf(plan, new Map()))[0]?.status;
  };

  it('is complete only when it has tasks and all of them are complete', () => {
    expect(derived('complete', 'complete')).toBe('complete');
    expect(derived()).toBe('pending');
  });

  it('is in progress before it is blocked, and blocked before it is pending', () => {
    expect(derived('complete', 'blocked', 'in-progress')).toBe('in-progress');
    expect(derived('complete', 'blocked', 'pending')).toBe('blocked');
    expect(derived('complete', 'ready')).toBe('pending');
  });

  it('is given for the stories of the plan, then for those that only tasks name', () => {
    const tasks = [taskOf('a', { story: 'S-1', status: 'complete' }), taskOf('b', { story: 'S-1' }), taskOf('c', { story: 'S-3' }), taskOf('d')];
    const plan = planOf(tasks, {
      stories: [
        { id: 'S-1', title: 'One', path: null },
        { id: 'S-2', title: 'Two', path: null },
      ],
    });
    const holds = new Map([
      ['b', holdOf({ state: 'failed' })],
      ['c', holdOf({ state: 'done' })],
    ]);
    expect(storyStatuses(plan, standingOf(plan, holds))).toEqual([
      { id: 'S-1', title: 'One', status: 'in-progress', total: 2, complete: 1 },
      { id: 'S-2', title: 'Two', status: 'pending', total: 0, complete: 0 },
      { id: 'S-3', title: '', status: 'complete', total: 1, complete: 1 },
    ]);
  });
});

it('the summary counts the tasks in each state', () => {
  const plan = planOf([taskOf('a', { status: 'complete' }), taskOf('b'), taskOf('c', { needs: ['b'] }), taskOf('d', { status: 'blocked' })]);
  expect(countStandings(standingOf(plan, new Map()))).toEqual({ complete: 1, held: 0, failed: 0, conflict: 0, parked: 0, blocked: 1, waiting: 1, ready: 1 });
});

it('the summary lists ready tasks in the order in which they would be taken', () => {
  const plan = planOf([taskOf('a', { priority: 2 }), taskOf('b'), taskOf('c'), taskOf('d', { needs: ['a'] }), taskOf('e', { priority: 0, story: 'S' })]);
  const standings = standingOf(plan, new Map());
  expect(readyTasks(plan, standings, { story: null, milestone: null, tags: [] }).map(({ id }) => id)).toEqual(['e', 'b', 'c', 'a']);
  expect(readyTasks(plan, standings, { story: 'S', milestone: null, tags: [] }).map(({ id }) => id)).toEqual(['e']);
});

describe('a stale task', () => {
  const plan = planOf([taskOf('a'), taskOf('b')]);
  const stale = (hold: ReturnType<typeof holdOf>, nowMs: number) => staleTasks(plan, new Map([['b', hold]]), nowMs);

  it('is held for more than two hours, by a person or by a run', () => {
    const told = { id: 'b', holder: 'run-1/1', heldMs: STALE_AFTER_MS + 1 };
    expect(stale(holdOf({ at: 5 }, 'named'), STALE_AFTER_MS + 6)).toEqual([told]);
    expect(stale(holdOf({ at: 5 }, 'alive'), STALE_AFTER_MS + 6)).toEqual([told]);
    expect(stale(holdOf({ at: 5 }), STALE_AFTER_MS + 5)).toEqual([]);
  });

  it('is never a task that anybody could take, or whose holder is unknown', () => {
    const later = 10 * STALE_AFTER_MS;
    expect(stale(holdOf({}, 'dead'), later)).toEqual([]);
    expect(stale(holdOf({ state: 'failed' }), later)).toEqual([]);
    expect(stale(holdOf(null), later)).toEqual([]);
  });

  it('does not exist after the clock was set back', () => expect(stale(holdOf({ at: 10 * STALE_AFTER_MS }), 0)).toEqual([]));
});
