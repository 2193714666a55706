import type { StartRule } from '../../../engine/decide/recipe.ts';
import { isDoneByCheating } from '../supervising.ts';

/** The checks do not confirm it, or it was come by in a way that does not count: it is taken out of the way, and the next life is told why. */
export const refuseTheDone: StartRule = (_lane, view) => {
  const { task } = view.state;
  if (task.sight?.done.kind !== 'file' || (task.judged?.green !== false && !isDoneByCheating(view))) return null;
  const number = task.refusals + 1;
  return { kind: 'do', effect: { kind: 'refuse-done', key: `refuse-done:${number}`, iteration: 0, attempt: 0, number } };
};
