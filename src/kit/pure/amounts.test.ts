import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from './amounts.ts';

describe('parseDuration', () => {
  it.each([
    ['20m', 1_200_000],
    ['1h30m', 5_400_000],
    ['1h 30m', 5_400_000],
    ['45s', 45_000],
    ['1.5h', 5_400_000],
    ['500ms', 500],
    ['1m500ms', 60_500],
    ['2d', 172_800_000],
    ['1d2h3m4s5ms', 93_784_005],
    ['20 m', 1_200_000],
    [' 20M ', 1_200_000],
    ['90', 90_000],
    ['1.5', 1500],
    [90, 90_000],
    [0.25, 250],
    [0, 0],
    ['0', 0],
    ['0s', 0],
    ['off', 0],
    ['OFF', 0],
  ])('of %j is %d ms', (value, expected) => {
    expect(parseDuration(value)).toBe(expected);
  });

  it.each([
    '',
    ' ',
    'm',
    'ten minutes',
    '-5s',
    '+5s',
    '5 minutes',
    '30m1h',
    '1h1h',
    '1e3s',
    '.5s',
    '5.s',
    '1,5h',
    '0x10',
    'Infinity',
    '1h30',
    '9'.repeat(40),
    `${'9'.repeat(15)}d`,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -1,
  ])('of %j is null', (value) => {
    expect(parseDuration(value)).toBeNull();
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '0s'],
    [59_000, '59s'],
    [60_000, '1m'],
    [61_000, '1m1s'],
    [120_000, '2m'],
    [367_000, '6m7s'],
    [3_600_000, '1h'],
    [7_500_000, '2h5m'],
    [7_507_000, '2h5m7s'],
    [3_601_000, '1h1s'],
    [90_000_000, '25h'],
    [59_999, '59s'],
    [1999, '1s'],
    [999, '999ms'],
    [0.4, '1ms'],
    [-5, '0s'],
  ])('of %d ms is %s', (ms, expected) => {
    expect(formatDuration(ms)).toBe(expected);
  });

  it('can be parsed back, in whole seconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), (seconds) => {
        expect(parseDuration(formatDuration(seconds * 1000))).toBe(seconds * 1000);
      }),
      { seed: 42, numRuns: 500 },
    );
  });
});
