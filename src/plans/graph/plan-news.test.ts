import { describe, expect, it } from 'vitest';
import { planOf, taskOf } from '../../../test/support/plan-of.ts';
import { openPlanNews, seenTasks } from './plan-news.ts';

const tasks = (status: 'pending' | 'complete' = 'pending', title = '') => planOf([taskOf('a', { status }), taskOf('b', { needs: ['a'], title })]);

describe('the news of a plan', () => {
  it('is the whole plan at first and when it has other tasks, else what stands otherwise, and nothing if nothing does', () => {
    const news = openPlanNews();
    const look = (plan: ReturnType<typeof tasks>) => {
      const found = news(seenTasks(plan, new Map()));
      return found && [found.whole, ...found.tasks.map(({ id, standing }) => `${id} ${standing}`)];
    };
    expect(look(tasks())).toEqual([true, 'a ready', 'b waiting']);
    expect(look(tasks())).toBeUndefined();
    expect(look(tasks('complete'))).toEqual([false, 'a complete', 'b ready']);
    expect(look(tasks('complete', 'another'))).toEqual([true, 'a complete', 'b ready']);
    expect(look(planOf([taskOf('a', { status: 'complete' })]))).toEqual([true, 'a complete']);
  });
});
