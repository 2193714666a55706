import type { RunState } from '../../journal/state/state.ts';
import { formatTokenCount } from '../../kit/pure/amounts.ts';

interface Tokens {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** `1.2M in (850K cached) / 45K out`; "in" is all that was read, of which the cached part was cheap. Empty when nobody counted. */
export function tokensText({ input, cacheRead, cacheWrite, output }: Tokens): string {
  const read = input + cacheRead + cacheWrite;
  if (read === 0 && output === 0) return '';
  const cached = cacheRead === 0 ? '' : ` (${formatTokenCount(cacheRead)} cached)`;
  return `${formatTokenCount(read)} in${cached} / ${formatTokenCount(output)} out`;
}

export function costText(usd: number): string {
  return usd > 0 && usd < 0.01 ? '<$0.01' : `$${usd.toFixed(2)}`;
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** What lies between two sittings of a run is nobody's work. */
export function workedMs({ time: { beforeMs, sittingFromMs, lastMs } }: RunState): number {
  return beforeMs + (lastMs - sittingFromMs);
}
