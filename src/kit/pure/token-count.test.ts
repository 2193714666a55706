import { expect, it } from 'vitest';
import { formatTokenCount } from './amounts.ts';

it.each([
  [0, '0'],
  [999, '999'],
  [1000, '1K'],
  [1499, '1K'],
  [1500, '2K'],
  [2500, '2K'],
  [3500, '4K'],
  [25_000, '25K'],
  [850_000, '850K'],
  [999_999, '1000K'],
  [1_000_000, '1.0M'],
  [1_050_000, '1.1M'],
  [1_150_000, '1.1M'],
  [1_234_567, '1.2M'],
  [1_250_000, '1.2M'],
  [1_350_000, '1.4M'],
  [1_750_000, '1.8M'],
  [1_200_000_000, '1200.0M'],
])('%d tokens are shown as %s', (tokens, expected) => {
  expect(formatTokenCount(tokens)).toBe(expected);
});
