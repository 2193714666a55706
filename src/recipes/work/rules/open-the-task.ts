import type { StartRule } from '../../../engine/decide/recipe.ts';

/** What was taken for a lane becomes its next iteration. */
export const openTheTask: StartRule = (lane, { state }) => {
  if (state.tasks.taken?.lane !== lane) return null;
  return { kind: 'say', event: { type: 'iteration.opened', iteration: state.opened + 1, lane } };
};
