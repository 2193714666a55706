import { expect, it } from 'vitest';
import { holdOf, planOf, taskOf } from '../../../test/support/plan-of.ts';
import { standingOf } from './select-task.ts';
import { unlockedBy } from './standing.ts';

const tasks = [
  taskOf('base', { status: 'complete' }),
  taskOf('a'),
  taskOf('b'),
  taskOf('only-a', { needs: ['base', 'a'] }),
  taskOf('both', { needs: ['a', 'b'] }),
  taskOf('failed', { needs: ['a'] }),
  taskOf('blocked', { needs: ['a'], status: 'blocked' }),
  taskOf('other', { needs: ['b'] }),
];

it('only tasks that waited for that task alone are unlocked, before and after it is complete', () => {
  const plan = planOf(tasks);
  const holds = new Map([['failed', holdOf({ state: 'failed' })]]);
  expect(unlockedBy(plan, standingOf(plan, holds), 'a')).toEqual(['only-a']);
  const done = new Map([...holds, ['a', holdOf({ state: 'done' })] as const]);
  expect(unlockedBy(plan, standingOf(plan, done), 'a')).toEqual(['only-a']);
  expect(unlockedBy(plan, standingOf(plan, done), 'b')).toEqual(['both', 'other']);
  expect(unlockedBy(plan, standingOf(plan, done), 'unknown')).toEqual([]);
});
