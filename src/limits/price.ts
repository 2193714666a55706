import type { Price } from '../settings/schema/price.ts';

interface Tokens {
  readonly input: number;
  readonly cache_read: number;
  readonly cache_write: number;
  readonly output: number;
}

const MILLION = 1_000_000;

/** What these tokens cost by the price of their model; null when nobody named one. A name that ends in `*` is the price of all that begin so; the longest wins. */
export function estimatedCostUsd(tokens: Tokens, model: string | null, prices: Readonly<Record<string, Price>>): number | null {
  const price = priceOf(model ?? '', prices);
  if (price === null) return null;
  const { input, cache_read, cache_write, output } = tokens;
  return (input * price.input + cache_read * price.cacheRead + cache_write * price.cacheWrite + output * price.output) / MILLION;
}

export function priceOf(model: string, prices: Readonly<Record<string, Price>>): Price | null {
  if (Object.hasOwn(prices, model)) return prices[model] ?? null;
  const fitting = Object.keys(prices).filter((name) => name.endsWith('*') && model.startsWith(name.slice(0, -1)));
  const [longest] = fitting.sort((a, b) => b.length - a.length);
  return longest === undefined ? null : (prices[longest] ?? null);
}
