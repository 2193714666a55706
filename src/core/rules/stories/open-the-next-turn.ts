import type { StartRule } from '../../recipe.ts';
import { standing } from '../../turning.ts';
import { openTheNextIteration } from '../open-the-next-iteration.ts';

/** One story, one mode, one iteration. */
export const openTheNextTurn: StartRule = (lane, view) => (standing(view)?.kind === 'turn' ? openTheNextIteration(lane, view) : null);
