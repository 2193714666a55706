import { lookingBefore } from '../looking.ts';
import type { StartRule } from '../../../engine/decide/recipe.ts';

/** A person may have written DONE meanwhile, or never have wanted a life at all. */
export const lookBeforeALife: StartRule = (_lane, view) => {
  const next = view.state.opened + 1;
  return view.state.task.sight?.before === next ? null : lookingBefore(view, next);
};
