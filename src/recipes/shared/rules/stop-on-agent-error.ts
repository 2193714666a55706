import { notDone } from '../../../journal/words/outcome.ts';
import type { StopRule } from '../../../engine/decide/recipe.ts';

/** Only with `onAgentError: stop`: the first iteration in which the agent came to nothing ends the run. */
export const stopOnAgentError: StopRule = ({ state, settings }) => {
  if (settings.onAgentError !== 'stop' || state.failuresInARow === 0) return null;
  return { kind: 'stop', outcome: notDone('stuck', 'The agent failed, and onAgentError is "stop"') };
};
