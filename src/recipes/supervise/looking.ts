import type { Decision } from '../../engine/decide/decision.ts';
import type { View } from '../../engine/decide/recipe.ts';
import type { OpenIteration } from '../../journal/state/state.ts';

/** A look at the task folder after a life: what it wished for counts. */
export function lookingAfter(view: View): Decision {
  return looking(view, { before: 0, iteration: 0, after_an_attempt: true });
}

/** A look before the life of that number, which is not open yet. */
export function lookingBefore(view: View, before: number): Decision {
  return looking(view, { before, iteration: 0, after_an_attempt: false });
}

/** A look in an open life, before its agent is run or between two attempts. */
export function lookingIn(view: View, { number, attempts }: OpenIteration): Decision {
  return looking(view, { before: number, iteration: number, after_an_attempt: attempts > 0 });
}

interface Wanted {
  readonly before: number;
  readonly iteration: number;
  readonly after_an_attempt: boolean;
}

function looking({ state }: View, wanted: Wanted): Decision {
  const { looks, busMark } = state.task;
  return { kind: 'do', effect: { kind: 'look-at-task', key: `look:${looks + 1}`, attempt: 0, ...wanted, since: wanted.after_an_attempt ? busMark : null } };
}
