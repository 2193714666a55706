import { ending } from '../awaiting.ts';
import type { EndRule, StartRule } from '../../../engine/decide/recipe.ts';
import { letsChildrenFinish, specOf } from '../supervising.ts';

/** Nothing outlives its scope: with a run that ends badly all its children are ended, and where the operator says so those that were waited for in vain. */
export const endTheChildren: EndRule = ({ outcome }, view) => {
  const { active, elsewhere } = view.state.children;
  if (!letsChildrenFinish(outcome)) return ending(view, [...active, ...elsewhere]);
  return specOf(view).killChildren ? ending(view, active) : null;
};

/** Where the operator says so, those that were waited for in vain are ended before the checks look. */
export const endTheChildrenOfADone: StartRule = (_lane, view) => {
  const { active, outlived } = view.state.children;
  return view.state.task.sight?.done.kind === 'file' && outlived.length > 0 && specOf(view).killChildren ? ending(view, active) : null;
};
