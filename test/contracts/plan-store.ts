import { describe, expect, it } from 'vitest';
import type { PlanReading, PlanStore } from '../../src/engine/ports/stores.ts';
import type { PlanTask, TaskStatus } from '../../src/journal/words/plan.ts';
import { taskOf } from '../support/plan-of.ts';

/** Creates a plan of these tasks and opens it; each call of the returned function opens another view of it. */
export type FreshPlan = (tasks: readonly PlanTask[]) => Promise<() => PlanStore>;

const WORDY = taskOf('T-7', {
  title: 'Say: "yes" — it\'s #1, [or] {not}? \\ 100% & *more*',
  description: 'Several lines,\n\n- with: a list\n  and its tail\n\nand # no comment',
  story: 'S-1',
  milestones: ['M1', 'M2'],
  tags: ['a', 'b: c', 'true'],
  priority: 2.5,
  complexity: 'XL',
  needs: ['T-1'],
  outputs: ['src/a b.ts', 'docs/', 'no'],
  verify: ['test "$(cat a)" = \'b\' # green', 'npm test'],
});
const TASKS = [taskOf('T-1'), taskOf('T-2', { needs: ['T-1'], status: 'complete' }), WORDY];

/** The contract of every plan. `statuses`: the states that it can store. */
export function honoursThePlanStoreContract(name: string, fresh: FreshPlan, statuses: readonly TaskStatus[]): void {
  describe(`${name} honours the plan store's contract`, () => {
    it('returns its tasks as written, in their order', async () => {
      expect(tasksOf(await (await fresh(TASKS))().read())).toEqual(TASKS);
    });

    it('returns the same tasks and digest to all views until somebody writes', async () => {
      const open = await fresh(TASKS);
      const [one, other] = [await open().read(), await open().read()];
      expect(one).not.toBeNull();
      expect(one).toEqual(other);
    });

    it.each(statuses)('sets a task to %s and does not change the others', async (status) => {
      const open = await fresh(TASKS);
      const before = await sure(open());
      expect(await open().write(before.digest, [{ kind: 'status', id: 'T-1', status, at_ms: 1_770_279_456_832 }])).toBe('written');
      const after = await sure(open());
      expect(tasksOf(after)).toEqual(TASKS.map((task) => (task.id === 'T-1' ? { ...task, status } : task)));
      expect(after.problems).toEqual([]);
    });

    it('can reopen a complete task', async () => {
      const open = await fresh(TASKS);
      await open().write((await sure(open())).digest, [{ kind: 'status', id: 'T-2', status: 'pending', at_ms: 0 }]);
      expect(tasksOf(await sure(open()))[1]?.status).toBe('pending');
    });

    it('has another digest with every change', async () => {
      const open = await fresh(TASKS);
      const before = await sure(open());
      await open().write(before.digest, [{ kind: 'reword', id: 'T-1', fields: { title: 'Another' } }]);
      expect((await sure(open())).digest).not.toBe(before.digest);
    });

    it('refuses a write based on an old version', async () => {
      const open = await fresh(TASKS);
      const { digest } = await sure(open());
      await open().write(digest, [{ kind: 'reword', id: 'T-1', fields: { title: 'First' } }]);
      const latest = await sure(open());
      expect(await open().write(digest, [{ kind: 'reword', id: 'T-1', fields: { title: 'Late' } }])).toBe('changed');
      expect(await sure(open())).toEqual(latest);
    });

    it('lets exactly one of many concurrent writers succeed', async () => {
      const open = await fresh(TASKS);
      const { digest } = await sure(open());
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, nth) => open().write(digest, [{ kind: 'reword', id: 'T-1', fields: { title: `By ${nth}` } }])),
      );
      expect(answers.toSorted()).toEqual([...Array<string>(7).fill('changed'), 'written']);
    });

    it('adds new tasks at the end, with their dependencies', async () => {
      const open = await fresh(TASKS);
      const added = [taskOf('T-8', { needs: ['T-7', 'T-2'], description: 'One line' }), { ...WORDY, id: 'T-9' }];
      const edits = added.map((task) => ({ kind: 'add' as const, task }));
      expect(await open().write((await sure(open())).digest, edits)).toBe('written');
      expect(tasksOf(await sure(open()))).toEqual([...TASKS, ...added]);
    });

    it('accepts changed texts and several edits at once; later ones override earlier ones', async () => {
      const open = await fresh(TASKS);
      const fields = { title: 'New: title', description: 'New\n\nwords', complexity: 'S', tags: ['x', 'y'] };
      const { digest } = await sure(open());
      await open().write(digest, [
        { kind: 'reword', id: 'T-7', fields: { title: 'Forgotten', complexity: null } },
        { kind: 'status', id: 'T-7', status: 'complete', at_ms: 1 },
        { kind: 'add', task: taskOf('T-8') },
        { kind: 'reword', id: 'T-7', fields },
        { kind: 'reword', id: 'T-8', fields: { title: 'Reworded at once' } },
      ]);
      expect(tasksOf(await sure(open()))).toEqual([
        TASKS[0],
        TASKS[1],
        { ...WORDY, ...fields, status: 'complete' },
        taskOf('T-8', { title: 'Reworded at once' }),
      ]);
    });

    it('does not change without an edit', async () => {
      const open = await fresh(TASKS);
      const before = await sure(open());
      expect(await open().write(before.digest, [])).toBe('written');
      expect(await sure(open())).toEqual(before);
    });

    it('handles names such as __proto__', async () => {
      const odd = ['__proto__', 'constructor', 'null', 'true', '1.10', '0x10', 'a/b', 'ä ö', '~'].map((id) => taskOf(id, { tags: ['toString'] }));
      const open = await fresh([...odd, taskOf('z', { needs: ['__proto__', '1.10', 'null'] })]);
      const { digest } = await sure(open());
      await open().write(
        digest,
        odd.map(({ id }) => ({ kind: 'status' as const, id, status: 'complete' as const, at_ms: 5 })),
      );
      const after = tasksOf(await sure(open()));
      expect(new Set(after.filter(({ status }) => status === 'complete').map(({ id }) => id))).toEqual(new Set(odd.map(({ id }) => id)));
      expect(after.find(({ id }) => id === 'z')?.needs).toEqual(['__proto__', '1.10', 'null']);
      expect(({} as { status?: unknown }).status).toBeUndefined();
    });

    it('names the files that no branch may change', async () => {
      expect((await fresh(TASKS))().pathspecs.length).toBeGreaterThan(0);
    });
  });
}

async function sure(store: PlanStore): Promise<PlanReading> {
  const reading = await store.read();
  if (reading === null) throw new Error('The plan is not there.');
  return reading;
}

/** Where details of a task are stored depends on the kind of plan. */
function tasksOf(reading: PlanReading | null): readonly PlanTask[] {
  return (reading?.plan?.tasks ?? []).map((task) => ({ ...task, path: null }));
}
