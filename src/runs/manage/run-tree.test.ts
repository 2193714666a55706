import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { manyRuns } from '../../../test/support/patience.ts';
import type { RunWithStatus } from './find-run.ts';
import { runTree } from './run-tree.ts';

function toldRun(run: string, parent: string | null = null): RunWithStatus {
  const sight = { kind: 'unreadable', run, runsFolder: '/runs', folder: `/runs/${run}`, why: '', liveness: 'dead' } as const;
  return { sight, parent, state: 'dead', isRecorded: true };
}

/** Indents each run by its depth. */
const drawn = (...runs: readonly RunWithStatus[]) => runTree(runs).map(({ told, depth }) => `${' '.repeat(depth)}${told.sight.run}`);

describe('the tree of runs', () => {
  it('puts every run below its parent, in the given order', () => {
    expect(drawn(toldRun('c2', 'b'), toldRun('c1', 'b'), toldRun('other'), toldRun('b', 'a'), toldRun('a'))).toEqual(['other', 'a', ' b', '  c2', '  c1']);
  });

  it('puts a run whose parent is missing at the top level', () => {
    expect(drawn(toldRun('orphan', 'nobody'), toldRun('its child', 'orphan'))).toEqual(['orphan', ' its child']);
  });

  it('lists runs once that name each other, or themselves, as parent', () => {
    expect(drawn(toldRun('a', 'b'), toldRun('b', 'a'), toldRun('self', 'self'))).toEqual(['a', ' b', 'self']);
  });

  it('marks the last child of each parent', () => {
    const rows = runTree([toldRun('one', 'a'), toldRun('two', 'a'), toldRun('a')]);
    expect(rows.map(({ told, isLast }) => [told.sight.run, isLast])).toEqual([
      ['a', true],
      ['one', false],
      ['two', true],
    ]);
  });

  it('lists every run exactly once, whatever parents they name, at any depth', () => {
    const forest = fc.array(fc.tuple(fc.nat(30), fc.option(fc.nat(30))), { maxLength: 60 });
    fc.assert(
      fc.property(forest, (pairs) => {
        const runs = pairs.map(([run, parent]) => toldRun(`${run}`, parent === null ? null : `${parent}`));
        expect(new Set(runTree(runs).map(({ told }) => told))).toEqual(new Set(runs));
        expect(runTree(runs)).toHaveLength(runs.length);
      }),
      manyRuns(200),
    );
    const deep = Array.from({ length: 20_000 }, (_, n) => toldRun(`${n}`, n === 0 ? null : `${n - 1}`));
    expect(runTree(deep).at(-1)?.depth).toBe(19_999);
  });
});
