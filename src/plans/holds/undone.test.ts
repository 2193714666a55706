import { describe, expect, it } from 'vitest';
import { holdOf, planOf, taskOf } from '../../../test/support/plan-of.ts';
import type { WorkPorts } from '../../engine/ports/ports.ts';
import type { PlanStore } from '../../engine/ports/stores.ts';
import { undoneNumber, withUndoneTasks } from './hold-of.ts';

const planSaying = (status: 'pending' | 'complete') =>
  ({ read: async () => ({ plan: planOf([taskOf('A', { status })]), digest: '', problems: [] }) }) as unknown as PlanStore;
const done = () => new Map([['A', holdOf({ state: 'done', base: 'c1' })]]);

async function looked(where: Awaited<ReturnType<WorkPorts['locationOf']>>, status: 'pending' | 'complete' = 'pending') {
  return (await withUndoneTasks({ locationOf: async () => where, plan: planSaying(status) }, done())).get('A');
}

describe('a task that is done by its register, but not by the file', () => {
  it('is done where the checkout could not follow the base', async () => {
    expect((await looked('base'))?.done).toBe('here');
  });

  it('is done elsewhere where its result is on another branch', async () => {
    expect((await looked('elsewhere'))?.done).toBe('elsewhere');
  });

  it('was set back by a person where the checkout has its result, and may be taken under just that number', async () => {
    const hold = await looked('checkout');
    expect(hold?.done).toBe('undone');
    expect(undoneNumber(hold)).toEqual({ undone: 1 });
  });

  it('is done where its result arrived during the check', async () => {
    const hold = await looked('checkout', 'complete');
    expect(hold?.done).toBe('here');
    expect(undoneNumber(hold)).toEqual({});
  });

  it('counts as done where nobody can check, or its result is unknown', async () => {
    expect((await withUndoneTasks({}, done())).get('A')?.done).toBeUndefined();
    const unknown = new Map([['A', holdOf({ state: 'done', base: null })]]);
    expect(await withUndoneTasks({ locationOf: async () => 'elsewhere', plan: planSaying('pending') }, unknown)).toBe(unknown);
  });
});
