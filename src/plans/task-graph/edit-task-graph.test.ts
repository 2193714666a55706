import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { manyRuns } from '../../../test/support/patience.ts';
import { taskOf } from '../../../test/support/plan-of.ts';
import type { Plan, PlanEdit, PlanTask } from '../../journal/words/plan.ts';
import { refuseUnwantedChanges } from '../editing/changes.ts';
import { applyEdits } from '../editing/wanted-plan.ts';
import { parsePlan } from '../plan-form.ts';
import { editTaskGraph, taskGraphForm } from './task-graph-form.ts';

const GRAPH = `# a plan
version: "1.0"
last_updated: 2026-02-05   # rewritten
nodes:
  - id: T-1
    title: Do it (well), soon
    description: |
      Several lines,

        some set in.

    tags: [a, "b c", 1.10]
    status: pending
    output:

  # between two
  - id: "T-2"
    description: >-
      folded
      text
    status: 'ready'
    verify:
      - npm test
      - 'exit 0' # green
  - {id: T-3, status: ready}
edges:
  - { from: T-1, to: T-2 }
  - {from: T-1, to: "T-3"}
meta:
  total_tasks: 4
  by_status: {ready: 1}
  by_priority:
    "1": 3
  by_milestone: {}
`;

const PIECES = [
  '\n',
  ' ',
  '- ',
  ': ',
  ':',
  ' #',
  '"',
  "'",
  '[',
  '}',
  ',',
  '|',
  '>+',
  '|2',
  '&a ',
  '*a',
  '<<: *a',
  '!!str ',
  '---\n',
  '? ',
  '\\',
  '\r\n',
  '~',
  'é',
  '\n\n',
  '\n  ',
];
const mutations = fc.array(fc.record({ at: fc.nat(), cut: fc.nat(4), put: fc.constantFrom('', ...PIECES, '\n    x: y', ' \n') }), {
  minLength: 1,
  maxLength: 4,
});

function mutated(text: string, changes: readonly { readonly at: number; readonly cut: number; readonly put: string }[]): string {
  return changes.reduce((before, { at, cut, put }) => {
    const place = at % (before.length + 1);
    return `${before.slice(0, place)}${put}${before.slice(place + cut)}`;
  }, text);
}

const parsed = async (text: string) => await parsePlan(taskGraphForm.open('', 'plan'), [{ path: 'plan', text, why: '', digest: '' }]);

/** Edits of every kind. */
function editsOf({ tasks }: Plan): readonly PlanEdit[] {
  const fields = { title: 'a: b', description: 'x\n  y\nz', complexity: 'S', tags: ['q'] };
  const each = tasks.flatMap(({ id }): PlanEdit[] => [
    { kind: 'status', id, status: 'complete', at_ms: 1 },
    { kind: 'reword', id, fields },
  ]);
  return [...each, { kind: 'add', task: taskOf('T-9', { needs: tasks.map(({ id }) => id), description: 'one\ntwo' }) }];
}

const told = (tasks: readonly PlanTask[] | undefined) => tasks?.map(({ path: _, needs, ...task }) => ({ ...task, needs: [...needs].sort() }));

describe('an edit of a graph', () => {
  it('has the wanted result for any graph, or is refused before anything is written', async () => {
    const counts = { wanted: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(mutations, fc.constantFrom('\n', '\r\n'), async (changes, eol) => {
        const text = mutated(GRAPH, changes).replaceAll(/\r?\n/g, eol);
        const { plan, problems } = await parsed(text);
        if (plan === null || problems.length > 0) return;
        const wanted = applyEdits(plan, editsOf(plan));
        const after = await parsed(await editTaskGraph(text, plan, wanted));
        try {
          refuseUnwantedChanges(wanted, after, (status) => status);
        } catch {
          counts.refused += 1;
          return;
        }
        expect(told(after.plan?.tasks)).toEqual(told(wanted.tasks));
        counts.wanted += 1;
      }),
      manyRuns(1500),
    );
    expect(counts.wanted).toBeGreaterThan(50);
    expect(counts.refused).toBeLessThan(counts.wanted / 10);
  });

  it('writes several lines in quotes where a comment follows the value', async () => {
    const text = 'nodes:\n  - id: T-1\n    status: ready\n    description: short # why\n';
    const { plan } = await parsed(text);
    if (plan === null) throw new Error('The plan cannot be read.');
    const wanted = applyEdits(plan, [{ kind: 'reword', id: 'T-1', fields: { description: 'x\ny' } }]);
    expect(await editTaskGraph(text, plan, wanted)).toBe('nodes:\n  - id: T-1\n    status: ready\n    description: "x\\ny" # why\n');
  });

  it('adds a field below a key that has an anchor', async () => {
    const text = 'nodes:\n  - id: T-1\n    status: ready\n    &a output:\n';
    const { plan } = await parsed(text);
    if (plan === null) throw new Error('The plan cannot be read.');
    const wanted = applyEdits(plan, [{ kind: 'reword', id: 'T-1', fields: { complexity: 'S' } }]);
    expect(await editTaskGraph(text, plan, wanted)).toBe('nodes:\n  - id: T-1\n    status: ready\n    &a output:\n    complexity: S\n');
  });
});
