import { notDone } from '../../../journal/words/outcome.ts';
import type { StopRule } from '../../../engine/decide/recipe.ts';
import { specOf } from '../supervising.ts';

/** The agent waits for something outside, and a restart would only disturb it. DONE beats waiting. */
export const stopWhenTheAgentWaits: StopRule = (view) => {
  const { sight, wait } = view.state.task;
  if (wait === null || sight?.done.kind !== 'absent') return null;
  return { kind: 'stop', outcome: notDone('waiting', `waiting without restart: ${wait.reason}`, specOf(view).failOnBlocked ? 3 : 0) };
};
