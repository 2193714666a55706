import { describe, expect, it } from 'vitest';
import { shareOf, shareText } from './interval.ts';

describe('a share', () => {
  it.each([
    [0, 10, 0, 0.3085],
    [1, 63, 0.0004, 0.0853],
    [4, 63, 0.0176, 0.1547],
    [5, 10, 0.1871, 0.8129],
    [10, 10, 0.6915, 1],
  ])('of %d in %d is between %f and %f, as in the tables of Clopper and Pearson', (count, of, low, high) => {
    const share = shareOf(count, of);
    expect(share.low).toBeCloseTo(low, 3);
    expect(share.high).toBeCloseTo(high, 3);
  });

  it('is printed with its count and its interval, and as a dash if nothing was counted', () => {
    expect(shareText(shareOf(4, 63))).toBe('4 of 63 (2–15 %)');
    expect(shareText(shareOf(0, 0))).toBe('–');
  });
});
