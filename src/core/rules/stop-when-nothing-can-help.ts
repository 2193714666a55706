import { notDone } from '../../model/outcome.ts';
import type { StopRule } from '../recipe.ts';

/** The agent is missing, forbidden or not logged in: another iteration would end the same way. */
export const stopWhenNothingCanHelp: StopRule = ({ state }) =>
  state.fatal ? { kind: 'stop', outcome: notDone('fatal', state.fatal.why, state.fatal.exitCode) } : null;
