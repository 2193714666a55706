import { describe, expect, it } from 'vitest';
import type { PlanReading, PlanStore } from '../../src/engine/ports/stores.ts';
import type { PlanTask, TaskStatus } from '../../src/journal/words/plan.ts';
import { taskOf } from '../support/plan-of.ts';

/** Makes a plan of these tasks and opens it; each call of what it returns is a further view of the same plan. */
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

/** What every plan must do. `statuses`: what it has words for; nothing else is ever read of it. */
export function honoursThePlanStoreContract(name: string, fresh: FreshPlan, statuses: readonly TaskStatus[]): void {
  describe(`${name} honours the plan store's contract`, () => {
    it('says of its tasks what was written, in their order', async () => {
      expect(tasksOf(await (await fresh(TASKS))().read())).toEqual(TASKS);
    });

    it('says the same to all, with the same digest, as long as nobody writes', async () => {
      const open = await fresh(TASKS);
      const [one, other] = [await open().read(), await open().read()];
      expect(one).not.toBeNull();
      expect(one).toEqual(other);
    });

    it.each(statuses)('takes a task to %s, and leaves the others alone', async (status) => {
      const open = await fresh(TASKS);
      const before = await sure(open());
      expect(await open().write(before.digest, [{ kind: 'status', id: 'T-1', status, at_ms: 1_770_279_456_832 }])).toBe('written');
      const after = await sure(open());
      expect(tasksOf(after)).toEqual(TASKS.map((task) => (task.id === 'T-1' ? { ...task, status } : task)));
      expect(after.problems).toEqual([]);
    });

    it('takes a task back that was complete', async () => {
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

    it('writes nothing for one who has not read the latest', async () => {
      const open = await fresh(TASKS);
      const { digest } = await sure(open());
      await open().write(digest, [{ kind: 'reword', id: 'T-1', fields: { title: 'First' } }]);
      const latest = await sure(open());
      expect(await open().write(digest, [{ kind: 'reword', id: 'T-1', fields: { title: 'Late' } }])).toBe('changed');
      expect(await sure(open())).toEqual(latest);
    });

    it('lets exactly one of many write who have read the same', async () => {
      const open = await fresh(TASKS);
      const { digest } = await sure(open());
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, nth) => open().write(digest, [{ kind: 'reword', id: 'T-1', fields: { title: `By ${nth}` } }])),
      );
      expect(answers.toSorted()).toEqual([...Array<string>(7).fill('changed'), 'written']);
    });

    it('takes new tasks, at the end, and what they need', async () => {
      const open = await fresh(TASKS);
      const added = [taskOf('T-8', { needs: ['T-7', 'T-2'], description: 'One line' }), { ...WORDY, id: 'T-9' }];
      const edits = added.map((task) => ({ kind: 'add' as const, task }));
      expect(await open().write((await sure(open())).digest, edits)).toBe('written');
      expect(tasksOf(await sure(open()))).toEqual([...TASKS, ...added]);
    });

    it('takes other words for what was said, and several edits at once, the later ones over the earlier', async () => {
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

    it('is not moved by no edit at all', async () => {
      const open = await fresh(TASKS);
      const before = await sure(open());
      expect(await open().write(before.digest, [])).toBe('written');
      expect(await sure(open())).toEqual(before);
    });

    it('has no trouble with names that mean something to a program', async () => {
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

    it('names the files that no branch may bring', async () => {
      expect((await fresh(TASKS))().pathspecs.length).toBeGreaterThan(0);
    });
  });
}

async function sure(store: PlanStore): Promise<PlanReading> {
  const reading = await store.read();
  if (reading === null) throw new Error('The plan is not there.');
  return reading;
}

/** Where more is said about a task is a matter of the kind of plan. */
function tasksOf(reading: PlanReading | null): readonly PlanTask[] {
  return (reading?.plan?.tasks ?? []).map((task) => ({ ...task, path: null }));
}
