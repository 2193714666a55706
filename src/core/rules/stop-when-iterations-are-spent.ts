import { notDone } from '../../model/outcome.ts';
import type { StopRule } from '../recipe.ts';

/** The last allowed iteration is open or closed; it still goes on to its end, and may still be the good one. */
export const stopWhenIterationsAreSpent: StopRule = ({ state, settings }) => {
  if (settings.maximumIterations === 0 || state.opened < settings.maximumIterations) return null;
  return { kind: 'stop', outcome: notDone('max_iterations', 'Maximum iterations reached without completion response.') };
};
