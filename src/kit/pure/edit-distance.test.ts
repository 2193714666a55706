import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance } from './did-you-mean.ts';

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['ab', 'ba', 1],
    ['abcd', 'acbd', 1],
  ])('from %j to %j is %d', (from, to, slips) => {
    expect(editDistance(from, to)).toBe(slips);
  });

  it('is symmetric, and 0 only for equal words', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
    fc.assert(
      fc.property(word, word, (from, to) => {
        expect(editDistance(from, to)).toBe(editDistance(to, from));
        expect(editDistance(from, to) === 0).toBe(from === to);
      }),
      { seed: 42, numRuns: 500 },
    );
  });
});
