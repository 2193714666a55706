import type { RunState } from '../../journal/state/state.ts';

/** What lies between two sittings of a run is nobody's work. */
export function workedMs({ time: { beforeMs, sittingFromMs, lastMs } }: RunState): number {
  return beforeMs + (lastMs - sittingFromMs);
}
