import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastCodePoints } from './text.ts';

describe('the last code points of a text', () => {
  it.each([
    ['abcdef', 3, '…def'],
    ['abc', 3, 'abc'],
    ['abc', 0, 'abc'],
    ['abc', -1, 'abc'],
    ['😀😁😂', 2, '…😁😂'],
    ['a😀', 1, '…😀'],
    ['', 5, ''],
  ])('of %j with %d is %j', (text, limit, expected) => {
    expect(lastCodePoints(text, limit, '…')).toBe(expected);
  });

  it('is the same as by counting code points, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 20 }), (text, limit) => {
        expect(lastCodePoints(text, limit)).toBe([...text].slice(-limit).join(''));
      }),
      { seed: 4 },
    );
  });
});
