import { awaiting } from '../awaiting.ts';
import type { EndRule, StartRule, StepRule } from '../../../engine/decide/recipe.ts';
import { letsChildrenFinish } from '../supervising.ts';

/** All is done but for the children: they may finish. */
export const awaitTheChildren: EndRule = ({ outcome }, view) => (letsChildrenFinish(outcome) ? awaiting(view) : null);

/** Checks look at what is left in the end: not while a child may still change it. Who leaves does not wait. */
export const awaitTheChildrenOfADone: StartRule = (_lane, view) => {
  const { task, leaving } = view.state;
  return task.sight?.done.kind === 'file' && task.judged === null && view.settings.gates.length > 0 && !leaving ? awaiting(view) : null;
};

/** The same for the checks of a job. */
export const awaitTheChildrenOfAJob: StepRule = (iteration, view) =>
  iteration.last !== null && iteration.judged === null && view.settings.gates.length > 0 && !view.state.leaving ? awaiting(view) : null;
