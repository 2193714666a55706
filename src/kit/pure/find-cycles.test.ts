import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCycles } from './find-cycles.ts';

const cyclesIn = (arrows: Readonly<Record<string, readonly string[]>>) => {
  const map = new Map(Object.entries(arrows));
  return findCycles(map.keys(), (name) => map.get(name) ?? []);
};

describe('cycles of names', () => {
  it('do not exist in a chain, a diamond, or an empty graph', () => {
    expect(cyclesIn({})).toEqual([]);
    expect(cyclesIn({ a: ['b'], b: ['c'], c: [] })).toEqual([]);
    expect(cyclesIn({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] })).toEqual([]);
  });

  it('begin and end with the same name', () => {
    expect(cyclesIn({ a: ['b'], b: ['a'] })).toEqual([['a', 'b', 'a']]);
    expect(cyclesIn({ x: ['a'], a: ['b'], b: ['c'], c: ['a'] })).toEqual([['a', 'b', 'c', 'a']]);
  });

  it('are reported separately, each name in at most one of them', () => {
    expect(cyclesIn({ a: ['b'], b: ['a', 'c'], c: ['d'], d: ['c'] })).toEqual([
      ['a', 'b', 'a'],
      ['c', 'd', 'c'],
    ]);
  });

  it('do not include an arrow from a name to itself or to an unknown name', () => {
    expect(cyclesIn({ a: ['a', 'b'], b: ['b'], c: ['elsewhere'] })).toEqual([]);
  });

  it('are found for any names', () => {
    expect(cyclesIn(JSON.parse('{"__proto__": ["constructor"], "constructor": ["__proto__"]}'))).toEqual([['__proto__', 'constructor', '__proto__']]);
  });

  it('of 300,000 names are found without a stack overflow', () => {
    const names = Array.from({ length: 300_000 }, (_, nth) => `n${nth}`);
    const chain = (name: string) => [`n${Number(name.slice(1)) + 1}`];
    expect(findCycles(names, (name) => (name === 'n299999' ? [] : chain(name)))).toEqual([]);
    expect(findCycles(names, (name) => (name === 'n299999' ? ['n0'] : chain(name)))[0]).toHaveLength(300_001);
  });

  it('are found exactly if the names have no topological order', () => {
    const graphs = fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 20 });
    fc.assert(
      fc.property(graphs, (arrows) => {
        const next = (name: string) => arrows.filter(([from, to]) => String(from) === name && from !== to).map(([, to]) => String(to));
        const names = Array.from({ length: 8 }, (_, nth) => String(nth));
        const cycles = findCycles(names, next);
        let left = names;
        for (let before = -1; before !== left.length; ) {
          before = left.length;
          left = left.filter((name) => next(name).some((to) => left.includes(to)));
        }
        expect(cycles.length > 0).toBe(left.length > 0);
        for (const cycle of cycles) for (const [nth, name] of cycle.slice(1).entries()) expect(next(cycle[nth] ?? '')).toContain(name);
      }),
      { seed: 6 },
    );
  });
});
