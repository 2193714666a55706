import { lookingAfter } from '../looking.ts';
import type { StartRule } from '../../../engine/decide/recipe.ts';
import { lastLifeOfThisSitting } from '../supervising.ts';

/** Whatever the agent exited with, its folder says whether it is done. */
export const lookAfterALife: StartRule = (_lane, view) => (view.state.task.sight === null && lastLifeOfThisSitting(view) ? lookingAfter(view) : null);
