import { notDone } from '../../../journal/words/outcome.ts';
import type { StopRule } from '../../../engine/decide/recipe.ts';

/** Something else than a file stands in the place of the claim: only a person can mend that. */
export const stopWhenDoneIsNoFile: StopRule = ({ state }) => {
  const done = state.task.sight?.done;
  return done?.kind === 'problem' ? { kind: 'stop', outcome: notDone('fatal', done.why, 4) } : null;
};
