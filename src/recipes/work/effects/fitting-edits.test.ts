import { describe, expect, it } from 'vitest';
import type { Plan, PlanEdit, PlanTask } from '../../../journal/words/plan.ts';
import { fittingEdits } from './merge-once.ts';

const task = (id: string, needs: string[] = []): PlanTask => ({
  id,
  title: id,
  description: '',
  story: null,
  milestones: [],
  tags: [],
  priority: 0,
  complexity: null,
  status: 'pending',
  needs,
  outputs: [],
  verify: [],
  path: null,
});
const plan: Plan = { project: 'p', tasks: [task('a'), task('b', ['a'])], stories: [], milestones: [], verify: [] };
const add = (id: string, needs: string[] = []): PlanEdit => ({ kind: 'add', task: task(id, needs) });
const reword = (id: string): PlanEdit => ({ kind: 'reword', id, fields: { title: 'better' } });

describe('the edits that fit a plan', () => {
  it('are those of existing tasks, and additions that it can hold', () => {
    const edits = [reword('a'), add('c', ['a', 'd']), add('d')];
    expect(fittingEdits(plan, edits)).toEqual(edits);
  });

  it('do not change the text of a missing task, and do not add an existing one', () => {
    expect(fittingEdits(plan, [reword('gone'), add('b'), reword('b')])).toEqual([reword('b')]);
  });

  it('add no task with a missing dependency, nor one that depends on such a task', () => {
    expect(fittingEdits(plan, [add('x', ['gone']), add('y', ['x']), add('z', ['y', 'a']), add('w', ['a'])])).toEqual([add('w', ['a'])]);
  });
});
