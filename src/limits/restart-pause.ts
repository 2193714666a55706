import type { SuperviseSpec } from '../settings/schema/run-settings.ts';

/** The pause before the next life: always the same, or twice as long after every further failure in a row. */
export function restartPauseMs(failuresInARow: number, { restartDelayMs, backoffMs }: Pick<SuperviseSpec, 'restartDelayMs' | 'backoffMs'>): number {
  if (backoffMs === 0 || failuresInARow < 2) return restartDelayMs;
  const doubled = Math.max(restartDelayMs, 1) * 2 ** Math.min(failuresInARow - 1, 30);
  return Math.max(restartDelayMs, Math.min(doubled, backoffMs));
}
