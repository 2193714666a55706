import { describe, expect, it } from 'vitest';
import { deep, deepRows } from '../../support/deep.ts';
import { type Edge, eventsIn, expectAllDone, openWorkStage, WORKS } from '../../support/work-stage.ts';

const CHAIN = {
  ids: ['A', 'B', 'C'],
  edges: [
    ['A', 'B'],
    ['B', 'C'],
  ],
} as const;
const DIAMOND = {
  ids: ['top', 'left', 'right', 'end'],
  edges: [
    ['top', 'left'],
    ['top', 'right'],
    ['left', 'end'],
    ['right', 'end'],
  ],
} as const;

/** Rows of five tasks; each needs two of the row above. */
const grid = (height: number) => {
  const rows = Array.from({ length: height }, (_, row) => Array.from({ length: 5 }, (_, column) => `t${row}${column}`));
  const edges = rows.slice(1).flatMap((row, above) =>
    row.flatMap((id, column): readonly Edge[] => [
      [`t${above}${column}`, id],
      [`t${above}${(column + 1) % 5}`, id],
    ]),
  );
  return { ids: rows.flat(), edges };
};

/** Fails if the work of a required task is missing. */
const needing = (edges: readonly Edge[]) => {
  const needs = (id: string) => edges.filter(([, to]) => to === id).map(([from]) => `test -f ${from}.txt`);
  const cases = [...new Set(edges.map(([, to]) => to))].map((id) => `${id}) ${needs(id).join(' && ')} || exit 9 ;;`);
  return `case "$id" in ${cases.join('\n')} esac\n`;
};

const rows = [
  ['a chain', CHAIN],
  ['a diamond', DIAMOND],
  ['ten tasks', grid(2)],
] as const;

describe.each(rows)('%s', (_, plan) => worksOff(plan));

deep('forty tasks take a minute, and ten go the same ways', () => worksOff(grid(8)));

function worksOff({ ids, edges }: { readonly ids: readonly string[]; readonly edges: readonly Edge[] }): void {
  it.concurrent.each(deepRows('four workers take the same steps, and more', ['4', '1'], 1))(
    'is worked off by %s worker(s): each task once, in order, and nothing is left over',
    async (workers) => {
      await using stage = await openWorkStage(ids, needing(edges) + WORKS, { edges });
      const run = await stage.work('--workers', workers);

      expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', done: true, iterations: ids.length, unproven: true } });
      expectAllDone(stage, ids);
      expect([...stage.calls()].sort()).toEqual([...ids].sort());
      const merged = stage.merged();
      for (const [from, to] of edges) expect([from, to, merged.indexOf(from) < merged.indexOf(to)]).toEqual([from, to, true]);
      const lanes = new Set(eventsIn(stage, 'iteration.opened').map(({ lane }) => lane));
      if (ids.length >= 10) expect(lanes.size).toBe(Number(workers));
      expect(run.stderr).toContain('All tasks complete!');
    },
  );
}

it('a task with output and verify commands that is reported by ralph task complete is proven', async () => {
  const fields = 'output: A.txt, verify: ["grep by A.txt"]';
  await using stage = await openWorkStage([['A', fields]], 'work; ralph task complete "$id"');
  const run = await stage.work();

  expect(run, run.stderr).toMatchObject({ code: 0, result: { stop_reason: 'completed', unproven: false } });
  expectAllDone(stage, ['A']);
});
