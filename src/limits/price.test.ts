import { describe, expect, it } from 'vitest';
import { estimatedCostUsd, priceOf } from './money.ts';

const price = (input: number) => ({ input, cacheRead: 0.1, cacheWrite: 2, output: 10 });
const prices = { 'gpt-5': price(1), 'gpt-5*': price(2), 'gpt-*': price(3) };

describe('the price of a model', () => {
  it.each([
    ['gpt-5', 1],
    ['gpt-5.4', 2],
    ['gpt-4', 3],
  ])('of %s is the one with the best matching name', (model, input) => {
    expect(priceOf(model, prices)?.input).toBe(input);
  });

  it.each(['claude', '', 'constructor', '__proto__'])('of %j is unknown', (model) => {
    expect(priceOf(model, prices)).toBeNull();
  });

  it('applies to every model when its name is a star', () => {
    expect(priceOf('', { '*': price(7) })?.input).toBe(7);
  });

  it('turns tokens into a cost', () => {
    const tokens = { input: 1_000_000, cache_read: 2_000_000, cache_write: 500_000, output: 100_000 };
    expect(estimatedCostUsd(tokens, 'gpt-5', prices)).toBeCloseTo(1 + 0.2 + 1 + 1);
    expect(estimatedCostUsd(tokens, null, prices)).toBeNull();
  });
});
