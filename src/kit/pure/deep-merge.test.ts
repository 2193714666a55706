import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepMerge } from './json-objects.ts';

describe('deepMerge', () => {
  it.each([
    ['adds what is new', { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    ['overrides a scalar', { a: 1, b: 2 }, { a: 3 }, { a: 3, b: 2 }],
    ['replaces an array as a whole', { a: [1, 2, 3] }, { a: [4] }, { a: [4] }],
    ['replaces an array by an empty one', { a: [1] }, { a: [] }, { a: [] }],
    ['merges objects key by key', { a: { b: 1, c: 2 } }, { a: { c: 3 } }, { a: { b: 1, c: 3 } }],
    ['merges at every depth', { a: { b: { c: 1, d: 2 } } }, { a: { b: { c: 3 } } }, { a: { b: { c: 3, d: 2 } } }],
    ['lets an object replace a scalar', { a: 1 }, { a: { b: 2 } }, { a: { b: 2 } }],
    ['lets a scalar replace an object', { a: { b: 2 } }, { a: 1 }, { a: 1 }],
    ['lets an object replace an array', { a: [1] }, { a: { 0: 2 } }, { a: { 0: 2 } }],
    ['lets null, false, 0 and "" override', { a: 1, b: 1, c: 1, d: 1 }, { a: null, b: false, c: 0, d: '' }, { a: null, b: false, c: 0, d: '' }],
    ['keeps a value that is undefined above', { a: 1 }, { a: undefined }, { a: 1 }],
    ['keeps everything under undefined', { a: 1 }, undefined, { a: 1 }],
    ['keeps everything under an empty object', { a: { b: 1 } }, {}, { a: { b: 1 } }],
    ['takes everything over undefined', undefined, { a: 1 }, { a: 1 }],
    ['takes everything over null', null, { a: 1 }, { a: 1 }],
  ])('%s', (_name, base, over, expected) => {
    expect(deepMerge(base, over)).toEqual(expected);
  });

  it('does not change its arguments', () => {
    const [base, over] = [
      { a: { b: 1 }, list: [1] },
      { a: { c: 2 }, list: [2] },
    ];
    deepMerge(base, over);
    expect([base, over]).toEqual([
      { a: { b: 1 }, list: [1] },
      { a: { c: 2 }, list: [2] },
    ]);
  });

  it.each(['{"__proto__": {"polluted": true}}', '{"constructor": {"prototype": {"polluted": true}}}'])('treats the keys of %s like any other', (json) => {
    const merged = deepMerge(deepMerge({ a: {} }, JSON.parse(json)), JSON.parse(json));
    expect(JSON.parse(JSON.stringify(merged))).toEqual({ a: {}, ...JSON.parse(json) });
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('does not treat inherited properties as keys of the base', () => {
    expect(deepMerge({}, { toString: { a: 1 } })).toEqual({ toString: { a: 1 } });
  });

  it('contains every value of the upper object for any lower one', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (base, over) => {
        const merged = deepMerge(base, over);
        expect(deepMerge(merged, over)).toEqual(merged);
        expect(deepMerge(over, over)).toEqual(over);
        expect(deepMerge(base, {})).toEqual(typeof base === 'object' && base !== null && !Array.isArray(base) ? base : {});
      }),
      { seed: 42, numRuns: 500 },
    );
  });
});
