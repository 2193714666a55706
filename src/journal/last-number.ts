import type { RunState } from './state/state.ts';

/** The number the last allowed iteration will have: what was abandoned took a number and is not charged. 0 means no limit. */
export function lastNumber({ run, abandoned }: RunState): number {
  const maximum = run?.settings.maximumIterations ?? 0;
  return maximum === 0 ? 0 : maximum + abandoned;
}
