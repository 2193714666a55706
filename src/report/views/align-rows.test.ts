import { describe, expect, it } from 'vitest';
import { longDuration } from '../console/spent-text.ts';

describe('a duration in full', () => {
  it.each([
    [0, '0s'],
    [-5, '0s'],
    [50, '50ms'],
    [1000, '1s'],
    [59_999, '59s'],
    [60_000, '1m0s'],
    [300_000, '5m0s'],
    [3_600_000, '1h0m0s'],
    [90_061_000, '25h1m1s'],
  ])('of %d ms is %s', (ms, expected) => {
    expect(longDuration(ms)).toBe(expected);
  });
});
