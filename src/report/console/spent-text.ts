import type { RunState } from '../../journal/state/state.ts';
import { formatTokenCount } from '../../kit/pure/amounts.ts';

interface Tokens {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** `1.2M in (850K cached) / 45K out`; "in" includes the cached part, which is cheap. Empty without counts. */
export function tokensText({ input, cacheRead, cacheWrite, output }: Tokens): string {
  const read = input + cacheRead + cacheWrite;
  if (read === 0 && output === 0) return '';
  const cached = cacheRead === 0 ? '' : ` (${formatTokenCount(cacheRead)} cached)`;
  return `${formatTokenCount(read)} in${cached} / ${formatTokenCount(output)} out`;
}

/** Time between a stop and a resume does not count. */
export function workedMs({ time: { beforeMs, sittingFromMs, lastMs } }: RunState): number {
  return beforeMs + (lastMs - sittingFromMs);
}

/** `5m0s`, `1h0m0s`, `50ms`: with the smaller units even if they are zero, as in seed 002. */
export function longDuration(ms: number): string {
  if (ms > 0 && ms < 1000) return `${Math.max(1, Math.floor(ms))}ms`;
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours}h${minutes}m${seconds % 60}s`;
  return minutes > 0 ? `${minutes}m${seconds % 60}s` : `${seconds}s`;
}

/** `$0.0234`: iterations cost cents. */
export function fineCostText(usd: number | null): string {
  return usd === null ? 'unknown' : `$${usd.toFixed(4)}`;
}

/** `15.2s`. */
export function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(1)}s`;
}
