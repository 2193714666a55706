import { notDone } from '../../../journal/words/outcome.ts';
import type { StopRule } from '../../../engine/decide/recipe.ts';
import { triesInVain } from '../working.ts';

/** More tries came to nothing than the operator allows for the whole crew. What runs goes on to its end. */
export const stopWhenTooManyFailed: StopRule = (view) => {
  const most = view.settings.work?.maxFailures ?? null;
  const all = triesInVain(view);
  if (most === null || all <= most) return null;
  return { kind: 'stop', outcome: notDone('stuck', `${all} tries came to nothing, and at most ${most} may`) };
};
