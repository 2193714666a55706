import { describe, expect, it } from 'vitest';
import { planTask } from '../../../test/support/work-spec.ts';
import type { Plan, PlanTask } from '../../journal/words/plan.ts';
import { settlePlan, withChangesOfOthers } from './settle-plan.ts';

const plan = (...tasks: readonly PlanTask[]): Plan => ({ project: '', tasks, stories: [], milestones: [], verify: [] });
const before = plan(planTask('A'), planTask('B'), planTask('C'));
const done = planTask('A', { status: 'complete' });

describe('an agent that may have merged the base itself', () => {
  it('is not blamed for tasks that others have completed and added', () => {
    const home = plan(done, planTask('B'), planTask('C'), planTask('D', { priority: 9 }));
    expect(settlePlan(withChangesOfOthers(before, home, home), home, 'B')).toMatchObject({ claimed: false, edits: [], refused: [] });
  });

  it('is still told what it may not do itself', () => {
    const home = plan(done, planTask('B'), planTask('C'));
    const form = plan(done, planTask('B', { status: 'complete' }), planTask('C', { status: 'complete' }));
    const settled = settlePlan(withChangesOfOthers(before, form, home), form, 'B');
    expect(settled.claimed).toBe(true);
    expect(settled.refused.join()).toContain('C');
    expect(settled.refused.join()).not.toContain('A,');
  });

  it('is compared with what it began with where it did not merge, or a plan cannot be read', () => {
    expect(withChangesOfOthers(before, before, plan(done))).toEqual(before);
    expect(withChangesOfOthers(before, null, before)).toBe(before);
    expect(withChangesOfOthers(before, before, null)).toBe(before);
  });
});
