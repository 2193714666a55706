import { completionFact } from '../completion-fact.ts';
import type { EndRule } from '../../../engine/decide/recipe.ts';

/** The project hears of it once, however often we die on the way. */
export const postTheCompletion: EndRule = (stop, { state }) => {
  if (stop.outcome.stop_reason !== 'completed' || state.task.completionPosted) return null;
  const message = completionFact(state, stop.outcome);
  return { kind: 'do', effect: { kind: 'post', key: 'post:completion', iteration: 0, attempt: 0, bus: 'project', message } };
};
