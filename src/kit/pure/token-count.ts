import { toFixedHalfEven } from './round-half-even.ts';

/** 999, 1K, 25K, 1.2M. */
export function formatTokenCount(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 1_000_000) return `${toFixedHalfEven(tokens / 1000, 0)}K`;
  return `${toFixedHalfEven(tokens / 1_000_000, 1)}M`;
}
