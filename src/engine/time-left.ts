/** Whichever ends first: its own time or that of the whole run. 0 means no limit, so what is over has a millisecond left. */
export function timeLeft(ownMs: number, until: number | null, nowMs: number): number {
  if (until === null) return ownMs;
  const left = Math.max(1, until - nowMs);
  return ownMs === 0 ? left : Math.min(ownMs, left);
}
