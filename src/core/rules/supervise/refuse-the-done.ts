import type { StartRule } from '../../recipe.ts';

/** The checks do not confirm it: it is taken out of the way, and the next life is told why. */
export const refuseTheDone: StartRule = (_lane, { state: { task } }) => {
  if (task.sight?.done.kind !== 'file' || task.judged?.green !== false) return null;
  const number = task.refusals + 1;
  return { kind: 'do', effect: { kind: 'refuse-done', key: `refuse-done:${number}`, iteration: 0, attempt: 0, number } };
};
