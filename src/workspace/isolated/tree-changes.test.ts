import { describe, expect, it } from 'vitest';
import { type Change, changesIn, isAtOrBelow, landingOf } from './tree-changes.ts';

const ID = 'a'.repeat(40);
const OTHER = 'b'.repeat(40);
const NONE = '0'.repeat(40);

describe('changesIn', () => {
  it('parses changes, additions and deletions, whatever the paths look like', () => {
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

  it('returns nothing for an empty output', () => {
    expect(changesIn([])).toEqual([]);
    expect(changesIn([''])).toEqual([]);
  });
});

const change = (path: string, after: string | null, before: string | null = ID): Change => ({
  path,
  before: before === null ? null : { mode: '100644', id: before },
  after: after === null ? null : { mode: '100644', id: after },
});

describe('landingOf', () => {
  it('lands everything that the other side has not touched', () => {
    const changes = [change('a', OTHER), change('b', null)];
    expect(landingOf(changes, [change('c', OTHER)])).toEqual({ landed: changes, inTheWay: [] });
  });

  it('does not land what the other side has changed differently', () => {
    expect(landingOf([change('a', OTHER)], [change('a', NONE)])).toEqual({ landed: [], inTheWay: [change('a', OTHER)] });
    expect(landingOf([change('a', null)], [change('a', NONE)]).inTheWay).toEqual([change('a', null)]);
    expect(landingOf([change('a', OTHER)], [change('a', null)]).inTheWay).toEqual([change('a', OTHER)]);
  });

  it('lists nothing that both sides did alike', () => {
    expect(landingOf([change('a', OTHER), change('b', null)], [change('a', OTHER), change('b', null)])).toEqual({ landed: [], inTheWay: [] });
  });
});

it('isAtOrBelow compares whole names of folders', () => {
  expect(isAtOrBelow('node_modules/x', ['node_modules'])).toBe(true);
  expect(isAtOrBelow('node_modules', ['node_modules'])).toBe(true);
  expect(isAtOrBelow('node_modules2', ['node_modules'])).toBe(false);
});
