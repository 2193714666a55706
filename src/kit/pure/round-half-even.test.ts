import { expect, it } from 'vitest';
import { toFixedHalfEven } from './amounts.ts';

it.each([
  [0.5, 0, '0'],
  [1.5, 0, '2'],
  [2.5, 0, '2'],
  [-2.5, 0, '-2'],
  [-1.5, 0, '-2'],
  [2.4999, 0, '2'],
  [0.25, 1, '0.2'],
  [0.75, 1, '0.8'],
  [1.05, 1, '1.1'],
  [1.15, 1, '1.1'],
  [0.125, 2, '0.12'],
  [0.375, 2, '0.38'],
  [5.76, 2, '5.76'],
  [7, 2, '7.00'],
])('%d with %d places is %s', (value, places, expected) => {
  expect(toFixedHalfEven(value, places)).toBe(expected);
});
