import { notDone } from '../../model/outcome.ts';
import type { StopRule } from '../recipe.ts';

/** The last allowed iteration is open or closed; it still goes on to its end, and may still be the good one. What we left ourselves is not charged. */
export const stopWhenIterationsAreSpent: StopRule = ({ state, settings }) => {
  if (settings.maximumIterations === 0 || state.opened - state.abandoned < settings.maximumIterations) return null;
  const message = settings.work === null ? 'Maximum iterations reached without completion response.' : 'Maximum iterations reached; there are tasks left.';
  return { kind: 'stop', outcome: notDone('max_iterations', message) };
};
