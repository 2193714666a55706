import { describe, expect, it } from 'vitest';
import { estimatedCostUsd, priceFor, priceOf } from './prices.ts';

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
    expect(estimatedCostUsd(tokens, price(1))).toBeCloseTo(1 + 0.2 + 1 + 1);
  });
});

describe('a list price', () => {
  it.each([
    ['codex', 'gpt-5.5', 5, 30],
    ['codex', 'gpt-5.5-pro', 30, 180],
    ['codex', 'gpt-6.1-sol-2026-09-29', 2, 10],
    ['claude', 'claude-opus-4-8[1m]', 5, 25],
    ['claude', 'claude-opus-5-5', 4, 20],
    ['amp', 'claude-sonnet-4-5', 3, 15],
    ['gemini', 'gemini-2.5-pro', 1.25, 10],
  ])('of %s with %s is known', (kind, model, input, output) => {
    expect(priceFor({ kind, model }, {})).toMatchObject({ input, output });
  });

  it.each([
    ['codex', null],
    ['codex', 'gpt-9-nova'],
    ['claude', 'claude-next'],
    ['gemini', null],
  ])('of %s with %s is that of a dear model of its vendor', (kind, model) => {
    const known = ['gpt-5.5', 'claude-opus-5', 'gemini-3.1-pro'].map((name) => priceFor({ kind: 'none', model: name }, {})?.input ?? 0);
    expect(priceFor({ kind, model }, {})?.input).toBeGreaterThanOrEqual(known[['codex', 'claude', 'gemini'].indexOf(kind)] ?? Number.NaN);
  });

  it.each(['amp', 'stream-json', 'function', 'command', 'constructor'])('of %s without a model is unknown', (kind) => {
    expect(priceFor({ kind, model: null }, {})).toBeNull();
  });

  it('yields to the price of the operator', () => {
    expect(priceFor({ kind: 'codex', model: 'gpt-5.5' }, { 'gpt-5*': price(7) })?.input).toBe(7);
    expect(priceFor({ kind: 'codex', model: null }, { '*': price(8) })?.input).toBe(8);
    expect(priceFor({ kind: 'codex', model: 'gpt-5.5' }, { 'gpt-4': price(7) })?.input).toBe(5);
  });
});
