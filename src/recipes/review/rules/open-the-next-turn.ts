import type { StartRule } from '../../../engine/decide/recipe.ts';
import { standing } from '../turning.ts';
import { openTheNextIteration } from '../../shared/rules/open-the-next-iteration.ts';

/** One story, one mode, one iteration. */
export const openTheNextTurn: StartRule = (lane, view) => (standing(view)?.kind === 'turn' ? openTheNextIteration(lane, view) : null);
