import type { StartRule } from '../../../engine/decide/recipe.ts';

/** One more life of the root agent. */
export const openTheNextLife: StartRule = (lane, { state }) => ({ kind: 'say', event: { type: 'iteration.opened', iteration: state.opened + 1, lane } });
