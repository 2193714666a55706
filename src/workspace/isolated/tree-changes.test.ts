import { describe, expect, it } from 'vitest';
import { type Change, changesIn, isAtOrBelow, landingOf } from './tree-changes.ts';

const ID = 'a'.repeat(40);
const OTHER = 'b'.repeat(40);
const NONE = '0'.repeat(40);

describe('the words of diff-tree', () => {
  it('are changes, additions and deletions, whatever the paths look like', () => {
    const fields = [
      ...[`:100644 100755 ${ID} ${OTHER} M`, 'a b'],
      ...[`:000000 120000 ${NONE} ${ID} A`, ':100644 100644 x y M'],
      ...[`:100644 000000 ${ID} ${NONE} D`, 'line\nbreak'],
    ];
    expect(changesIn(fields)).toEqual([
      { path: 'a b', before: { mode: '100644', id: ID }, after: { mode: '100755', id: OTHER } },
      { path: ':100644 100644 x y M', before: null, after: { mode: '120000', id: ID } },
      { path: 'line\nbreak', before: { mode: '100644', id: ID }, after: null },
    ]);
  });

  it('are nothing where there are none', () => {
    expect(changesIn([])).toEqual([]);
    expect(changesIn([''])).toEqual([]);
  });
});

const change = (path: string, after: string | null, before: string | null = ID): Change => ({
  path,
  before: before === null ? null : { mode: '100644', id: before },
  after: after === null ? null : { mode: '100644', id: after },
});

describe('what lands', () => {
  it('is all that nobody else has touched', () => {
    const changes = [change('a', OTHER), change('b', null)];
    expect(landingOf(changes, [change('c', OTHER)])).toEqual({ landed: changes, inTheWay: [] });
  });

  it('is not what somebody else has made something else of', () => {
    expect(landingOf([change('a', OTHER)], [change('a', NONE)])).toEqual({ landed: [], inTheWay: [change('a', OTHER)] });
    expect(landingOf([change('a', null)], [change('a', NONE)]).inTheWay).toEqual([change('a', null)]);
    expect(landingOf([change('a', OTHER)], [change('a', null)]).inTheWay).toEqual([change('a', OTHER)]);
  });

  it('is nothing where both did the same: there it is already', () => {
    expect(landingOf([change('a', OTHER), change('b', null)], [change('a', OTHER), change('b', null)])).toEqual({ landed: [], inTheWay: [] });
  });
});

it('a path is below a folder by whole names', () => {
  expect(isAtOrBelow('node_modules/x', ['node_modules'])).toBe(true);
  expect(isAtOrBelow('node_modules', ['node_modules'])).toBe(true);
  expect(isAtOrBelow('node_modules2', ['node_modules'])).toBe(false);
});
