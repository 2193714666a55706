import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planOf, taskOf } from '../../../test/support/plan-of.ts';
import type { Plan, PlanEdit, PlanTask } from '../../journal/words/plan.ts';
import { layersOf } from './layers.ts';
import { settlePlan } from './settle-plan.ts';

const ids = ['T-1', 'T-2', 'T-3', 'T-4', 'N-1', 'N-2', 'N-3', 'bad id'] as const;
const id = fc.constantFrom(...ids);
const text = fc.oneof(fc.string({ maxLength: 8 }), fc.constant(''), fc.constant('same'));
const fields = fc.record({
  title: text,
  description: text,
  story: fc.constantFrom(null, 'S-1', 'S-2'),
  milestones: fc.subarray(['M1', 'M2']),
  tags: fc.subarray(['ui', 'api']),
  priority: fc.constantFrom(0, 1, Number.NaN),
  complexity: fc.constantFrom(null, 'S', 'XL'),
  status: fc.constantFrom('pending', 'ready', 'in-progress', 'complete', 'blocked'),
  needs: fc.array(id, { maxLength: 3 }),
  outputs: fc.subarray(['a.md', '../b']),
  verify: fc.subarray(['true', 'npm test']),
  path: fc.constantFrom(null, 'docs/a.md', '/etc/passwd'),
});
const task = fc.tuple(id, fields).map(([name, rest]) => taskOf(name, rest));
const groups = fc.constantFrom([], [{ id: 'S-1', title: 'One', path: null }]);
const rest = fc.record({ stories: groups, milestones: groups, verify: fc.subarray(['npm run check']) });

/** Any valid plan: unique ids, and needs only further up. */
const truths = fc.tuple(fc.array(task, { maxLength: 5 }), rest).map(([tasks, others]) => {
  const once = [...new Map(tasks.map((each) => [each.id, each])).values()];
  return planOf(
    once.map((each, index) => ({
      ...each,
      priority: each.priority || 0,
      needs: each.needs.filter((need) => once.slice(0, index).some((other) => other.id === need)),
    })),
    others,
  );
});

/** An agent's version of it: some tasks unchanged, some with other fields, some removed, some new, some duplicated, with any needs. */
const pair = truths.chain((truth) => {
  const kept = fc.tuple(
    ...truth.tasks.map((was) =>
      fc.oneof(
        fc.constant([was]),
        fields.map((is) => [{ ...was, ...is }]),
        fc.constant([]),
      ),
    ),
  );
  const form = fc
    .tuple(kept, fc.array(task, { maxLength: 5 }), rest)
    .map(([old, news, others]): Plan => ({ ...truth, ...others, tasks: [...old.flat(), ...news] }));
  return fc.tuple(fc.constant(truth), form, id);
});

function applied(plan: Plan, edits: readonly PlanEdit[]): readonly PlanTask[] {
  const words = new Map(edits.flatMap((edit) => (edit.kind === 'reword' ? [[edit.id, edit.fields]] : [])));
  const reworded = plan.tasks.map((was) => ({ ...was, ...words.get(was.id) }) as PlanTask);
  return [...reworded, ...edits.flatMap((edit) => (edit.kind === 'add' ? [edit.task] : []))];
}

/** The fields that an agent may not change. */
const fixed = ({ title: _t, description: _d, complexity: _c, tags: _g, ...others }: PlanTask) => others;
const holds = (rule: (truth: Plan, tasks: readonly PlanTask[], edits: readonly PlanEdit[]) => void) =>
  fc.assert(
    fc.property(pair, ([truth, form, target]) => {
      const { edits } = settlePlan(truth, form, target);
      rule(truth, applied(truth, edits), edits);
    }),
    { seed: 6, numRuns: 500 },
  );

describe('whatever an agent makes of a plan', () => {
  it('an unchanged plan gives no edits', () => {
    fc.assert(
      fc.property(truths, id, (truth, target) => {
        expect(settlePlan(truth, truth, target)).toEqual({ claimed: false, edits: [], accepted: [], refused: [] });
      }),
      { seed: 6, numRuns: 500 },
    );
  });

  it('no task is lost, and only the wording of existing tasks can change', () => {
    holds((truth, tasks) => expect(tasks.slice(0, truth.tasks.length).map(fixed)).toEqual(truth.tasks.map(fixed)));
  });

  it('complete tasks stay unchanged', () => {
    holds((truth, tasks) =>
      expect(tasks.filter((_, index) => truth.tasks[index]?.status === 'complete')).toEqual(truth.tasks.filter((each) => each.status === 'complete')),
    );
  });

  it('no cycle and no unknown need appears', () => {
    holds((truth, tasks) => {
      const there = new Set(tasks.map((each) => each.id));
      expect(layersOf({ ...truth, tasks }).inCycle).toEqual([]);
      expect(tasks.flatMap((each) => each.needs).filter((need) => !there.has(need))).toEqual([]);
    });
  });

  it('no two tasks share an id, and new ones are pending, with paths inside the work tree', () => {
    holds((truth, tasks) => {
      expect(new Set(tasks.map((each) => each.id)).size).toBe(tasks.length);
      for (const each of tasks.slice(truth.tasks.length)) {
        expect(each.status).toBe('pending');
        expect([...each.outputs, each.path ?? ''].some((path) => path.startsWith('/') || path.includes('..'))).toBe(false);
      }
    });
  });

  it('settling the accepted result again gives the same result', () => {
    fc.assert(
      fc.property(pair, ([truth, form, target]) => {
        const { edits } = settlePlan(truth, form, target);
        const again = settlePlan(truth, { ...truth, tasks: [...applied(truth, edits)] }, target);
        expect(again).toMatchObject({ claimed: false, edits, refused: [] });
      }),
      { seed: 6, numRuns: 500 },
    );
  });
});
