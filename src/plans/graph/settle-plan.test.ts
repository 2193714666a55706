import { describe, expect, it } from 'vitest';
import { planOf, taskOf } from '../../../test/support/plan-of.ts';
import type { Plan, PlanTask } from '../../journal/words/plan.ts';
import { settlePlan } from './settle-plan.ts';

const truth = planOf(
  [
    taskOf('T-1', { status: 'complete' }),
    taskOf('T-2', { needs: ['T-1'], story: 'S-1', milestones: ['M1'], verify: ['npm test'], outputs: ['out.md'], path: 'docs/T-2.md', tags: ['ui'] }),
    taskOf('T-3', { needs: ['T-2', 'T-1'] }),
  ],
  { stories: [{ id: 'S-1', title: 'Story', path: null }], milestones: [{ id: 'M1', title: 'First', path: null }], verify: ['npm run check'] },
);

/** The agent of T-2 has turned the plan into this. */
const settle = (form: Plan | null) => settlePlan(truth, form, 'T-2');
const withTasks = (...tasks: readonly PlanTask[]) => settle({ ...truth, tasks });
const changed = (id: string, fields: Partial<PlanTask>) => withTasks(...truth.tasks.map((task) => (task.id === id ? { ...task, ...fields } : task)));
const added = (...tasks: readonly PlanTask[]) => withTasks(...truth.tasks, ...tasks);
const nothing = { claimed: false, edits: [], accepted: [], refused: [] };

describe('a plan that the agent left alone', () => {
  it('gives no edits', () => expect(settle(truth)).toEqual(nothing));

  it('may be in another order', () => {
    const shuffled = truth.tasks.map((task) => ({ ...task, needs: task.needs.toReversed() })).toReversed();
    expect(withTasks(...shuffled)).toEqual(nothing);
  });
});

describe("the status of the agent's own task", () => {
  it('set to complete is a claim, not an edit', () => expect(changed('T-2', { status: 'complete' })).toEqual({ ...nothing, claimed: true }));

  it('set to in progress is ignored', () => expect(changed('T-2', { status: 'in-progress' })).toEqual(nothing));

  it('may be set to nothing else', () => {
    expect(changed('T-2', { status: 'blocked' })).toEqual({ ...nothing, refused: ['Your own task T-2 may be claimed as complete, but not set to blocked.'] });
  });

  it('is not a new claim when it was complete before', () => {
    const before = planOf([taskOf('a', { status: 'complete' })]);
    expect(settlePlan(before, before, 'a')).toEqual(nothing);
  });

  it('counts also when the task is no longer in the plan, but never brings it back', () => {
    expect(settlePlan(planOf([]), planOf([taskOf('a', { status: 'complete' })]), 'a')).toEqual({ ...nothing, claimed: true });
  });
});

describe('an agent may', () => {
  it('reword tasks that are not complete, its own or others', () => {
    const fields = { title: 'Better', description: 'More', complexity: 'L', tags: ['api'] };
    expect(changed('T-3', fields)).toEqual({
      ...nothing,
      edits: [{ kind: 'reword', id: 'T-3', fields }],
      accepted: ['T-3 has a new title, description, complexity, tags.'],
    });
    expect(changed('T-2', { title: 'Better' }).edits).toEqual([{ kind: 'reword', id: 'T-2', fields: { title: 'Better' } }]);
  });

  it('add tasks, which begin as pending and may have their own checks', () => {
    const task = taskOf('T-9', {
      status: 'ready',
      needs: ['T-1', 'T-10'],
      verify: ['npm test'],
      outputs: ['a/b.md'],
      story: 'S-1',
      milestones: ['M1'],
      priority: 3,
    });
    const later = taskOf('T-10', { needs: ['T-2'] });
    expect(added(task, later)).toEqual({
      ...nothing,
      edits: [
        { kind: 'add', task: { ...task, status: 'pending' } },
        { kind: 'add', task: later },
      ],
      accepted: ['T-9 was added: Title of T-9', 'T-10 was added: Title of T-10'],
    });
  });

  it('do so even if something else is refused', () => {
    const { edits, refused } = changed('T-3', { title: 'Better', priority: 0, status: 'complete' });
    expect(edits).toEqual([{ kind: 'reword', id: 'T-3', fields: { title: 'Better' } }]);
    expect(refused).toHaveLength(2);
  });
});

describe('an agent may not', () => {
  const refusedOf = ({ claimed, edits, accepted, refused }: ReturnType<typeof settle>) => {
    expect({ claimed, edits, accepted }).toEqual({ claimed: false, edits: [], accepted: [] });
    return refused;
  };

  it('set the status of other tasks', () => {
    const all = truth.tasks.map((task) => ({ ...task, status: 'complete' as const }));
    expect(withTasks(...all)).toEqual({
      ...nothing,
      claimed: true,
      refused: ['You may not set the status of T-3: only the loop does, once it has checked the proof.'],
    });
    expect(refusedOf(changed('T-1', { status: 'pending' }))).toEqual(['You may not set the status of T-1: only the loop does, once it has checked the proof.']);
  });

  it('set runs_on, of its own task, of others, or of a new one', () => {
    expect(changed('T-2', { runs_on: ['prod'] })).toMatchObject({ edits: [], refused: [expect.stringContaining('runs_on of T-2')] });
    const { edits, refused } = added(taskOf('T-9', { runs_on: ['prod'] }));
    expect([JSON.stringify(edits).includes('runs_on'), refused]).toEqual([false, ['T-9 has lost its runs_on: only a person may set it.']]);
  });

  it('set may_change, of its own task, of others, or of a new one', () => {
    expect(changed('T-2', { may_change: ['**'] })).toMatchObject({ edits: [], refused: [expect.stringContaining('may_change of T-2')] });
    const { edits, refused } = added(taskOf('T-9', { may_change: ['**'] }));
    expect(edits).toMatchObject([{ kind: 'add', task: { id: 'T-9' } }]);
    expect(JSON.stringify(edits)).not.toContain('may_change');
    expect(refused).toEqual(['T-9 has lost its may_change: only a person may set it.']);
  });

  it('remove tasks, its own included', () => {
    expect(refusedOf(withTasks(...truth.tasks.slice(0, 2)))).toEqual(['You may not remove tasks from the plan: it keeps T-3.']);
    expect(refusedOf(withTasks())).toEqual(['You may not remove tasks from the plan: it keeps T-1, T-2, T-3.']);
  });

  it.each([
    ['priority', { priority: 0 }],
    ['needs', { needs: [] }],
    ['verify commands', { verify: ['true'] }],
    ['outputs', { outputs: [] }],
    ['file', { path: null }],
    ['story', { story: null }],
    ['milestones', { milestones: [] }],
  ])('change the %s of an existing task', (label, fields) => {
    expect(refusedOf(changed('T-2', fields))).toEqual([`You may not change the ${label} of T-2: the plan keeps what it had.`]);
  });

  it('make a cycle', () => {
    expect(refusedOf(changed('T-1', { needs: ['T-3'] }))).toEqual(['You may not change the needs of T-1: the plan keeps what it had.']);
    expect(
      refusedOf(added(taskOf('a', { needs: ['b'] }), taskOf('b', { needs: ['a'] }), taskOf('c', { needs: ['a'] }), taskOf('d', { needs: ['d'] }))),
    ).toEqual([
      'a was not added: dependency cycle detected: a -> b -> a.',
      'b was not added: dependency cycle detected: b -> a -> b.',
      'c was not added: dependency cycle detected: a -> b -> a.',
      'd was not added: task d cannot depend on itself.',
    ]);
  });

  it('make existing tasks wait for new ones', () => {
    const { edits, refused } = withTasks(
      ...truth.tasks.map((task) => (task.id === 'T-3' ? { ...task, needs: [...task.needs, 'T-9'] } : task)),
      taskOf('T-9', { needs: ['T-3'] }),
    );
    expect(edits).toMatchObject([{ kind: 'add', task: { id: 'T-9', needs: ['T-3'] } }]);
    expect(refused).toEqual(['You may not change the needs of T-3: the plan keeps what it had.']);
  });

  it('reword complete tasks', () => {
    expect(refusedOf(changed('T-1', { title: 'Easier' }))).toEqual(['You may not reword complete tasks: T-1.']);
  });

  it.each([
    ['its title is empty', { title: ' ' }],
    ['its title is longer than 300 characters', { title: 'x'.repeat(301) }],
    ['its description is longer than 20000 characters; put the text into a file', { description: 'x'.repeat(20_001) }],
    ['its complexity is longer than 100 characters', { complexity: 'x'.repeat(101) }],
    ['it has more than 50 tags', { tags: Array.from({ length: 51 }, (_, n) => `${n}`) }],
    ['a tag of it is longer than 100 characters', { tags: ['x'.repeat(101)] }],
  ])('write more than anybody reads: %s', (problem, fields) => {
    expect(refusedOf(changed('T-3', fields))).toEqual([`T-3 was not reworded: ${problem}.`]);
  });

  it.each([
    ['another task has that id', taskOf('t-3')],
    ['a new task begins as pending, not as complete', taskOf('x', { status: 'complete' })],
    ['a new task begins as pending, not as in-progress', taskOf('x', { status: 'in-progress' })],
    ['its title is empty', taskOf('x', { title: '' })],
    ['its priority is not a number', taskOf('x', { priority: Number.NaN })],
    ['there is no story S-9', taskOf('x', { story: 'S-9' })],
    ['there is no milestone M8, M9', taskOf('x', { milestones: ['M8', 'M1', 'M9'] })],
    ['it needs T-99, which is not in the plan', taskOf('x', { needs: ['T-1', 'T-99'] })],
    ['it has more than 50 needs, outputs, verify commands or milestones', taskOf('x', { verify: Array.from({ length: 51 }, () => 'true') })],
    ['one of its paths or commands is longer than 2000 characters', taskOf('x', { verify: ['x'.repeat(2001)] })],
    ['../secret is not a path inside the work tree', taskOf('x', { outputs: ['../secret'] })],
    ['/etc/passwd is not a path inside the work tree', taskOf('x', { path: '/etc/passwd' })],
    ['a/..\\b is not a path inside the work tree', taskOf('x', { path: 'a/..\\b' })],
  ])('add an invalid task: %s', (problem, task) => {
    expect(refusedOf(added(task))).toEqual([`${task.id} was not added: ${problem}.`]);
  });

  it.each(['', '../x', 'a b', 'x\ny', '-rf', 'x'.repeat(81)])('add a task with the id %j', (id) => {
    const [sentence, ...others] = refusedOf(added(taskOf(id)));
    expect(sentence).toMatch(/ was not added: an id has only letters, digits and "_"/);
    expect(sentence).not.toMatch(/\n/);
    expect(others).toEqual([]);
  });

  it('add a task that needs one that was not added', () => {
    expect(refusedOf(added(taskOf('a', { status: 'blocked' }), taskOf('b', { needs: ['a'] }), taskOf('c', { needs: ['b'] })))).toEqual([
      'a was not added: a new task begins as pending, not as blocked.',
      'b was not added: it needs a, which is not in the plan.',
      'c was not added: it needs b, which is not in the plan.',
    ]);
  });

  it('give two tasks the same id, its own included', () => {
    expect(refusedOf(withTasks(...truth.tasks, taskOf('T-2', { status: 'complete' }), taskOf('x'), taskOf('x')))).toEqual([
      'More than one task has the id T-2, x: nothing was accepted from those.',
    ]);
  });

  it('change what applies to the whole plan', () => {
    expect(refusedOf(settle({ ...truth, verify: [] }))).toEqual(['You may not change the verify commands of the plan: they apply to every task.']);
    expect(refusedOf(settle({ ...truth, stories: [] }))).toEqual(['You may not change the stories and milestones of the plan.']);
    expect(refusedOf(settle({ ...truth, milestones: [{ id: 'M1', title: 'Last', path: null }] }))).toHaveLength(1);
  });

  it('change anything in a plan that cannot be read', () => {
    const { refused, ...rest } = settle(null);
    expect(rest).toEqual({ claimed: false, edits: [], accepted: [] });
    expect(refused).toEqual([expect.stringContaining('cannot be read')]);
  });

  it('cause more than a few lines of refusals', () => {
    const many = planOf(Array.from({ length: 10_000 }, (_, n) => taskOf(`t${n}`)));
    const { refused } = settlePlan(many, planOf([]), 't0');
    expect(refused).toEqual(['You may not remove tasks from the plan: it keeps t0, t1, t2, t3, t4, t5, t6, t7, t8, t9 and 9990 more.']);
    const flood = settlePlan(planOf([]), many, 't0');
    expect(flood.edits).toHaveLength(200);
    expect(flood.refused).toEqual(['Only 200 tasks may be added at once; 9799 were ignored.']);
    const shouted = settlePlan(many, planOf(many.tasks.map((task) => ({ ...task, title: task.title.toUpperCase() }))), 't0');
    expect(shouted.edits).toHaveLength(200);
    expect(shouted.refused).toEqual(['Only 200 tasks may be reworded at once, not 10000.']);
  });
});
