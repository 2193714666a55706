import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { truncateCodePoints } from './text.ts';

const mark = '... [truncated]';

describe('truncateCodePoints', () => {
  it.each([
    ['cuts a text and appends the mark', 'this is a longer output that needs to be truncated', 20, 'this is a longer out... [truncated]'],
    ['leaves a text of exactly the limit', 'exact', 5, 'exact'],
    ['leaves a shorter text', 'short', 50, 'short'],
    ['leaves everything at limit 0', 'text', 0, 'text'],
    ['leaves everything at a negative limit', 'text', -1, 'text'],
    ['leaves an empty text', '', 5, ''],
    ['counts a surrogate pair as one', '🙂🙂', 1, '🙂... [truncated]'],
    ['leaves pairs of exactly the limit', '🙂🙂', 2, '🙂🙂'],
    ['counts half a pair as one', '\ud83dab', 2, '\ud83da... [truncated]'],
  ])('%s', (_name, text, limit, expected) => {
    expect(truncateCodePoints(text, limit, mark)).toBe(expected);
  });

  it('appends no mark by default', () => {
    expect(truncateCodePoints('abc', 2)).toBe('ab');
  });

  it('counts code points like the iteration of a string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 20 }), (text, limit) => {
        const points = [...text];
        expect(truncateCodePoints(text, limit, mark)).toBe(points.length > limit ? points.slice(0, limit).join('') + mark : text);
      }),
      { seed: 42, numRuns: 500 },
    );
  });
});
