import type { StartRule } from '../../../engine/decide/recipe.ts';
import { looksAgainAtMs } from '../working.ts';

/** Asked again whenever something may have changed; the registers say whose it is, so that no two have the same. */
export const takeTheNextTask: StartRule = (lane, view) => {
  const { tasks, open } = view.state;
  // What a dead process of ours held is first put in order and let go: whoever took it before that would not get all that was done of it.
  if (open.some(({ hand }) => hand !== null && hand.givenUp !== null && hand.released === null)) return null;
  if (tasks.taken !== null || (tasks.nothing !== null && view.nowMs < (looksAgainAtMs(view) ?? Number.POSITIVE_INFINITY))) return null;
  const key = `take:${tasks.asked + 1}`;
  return { kind: 'do', effect: { kind: 'take-task', key, iteration: 0, attempt: 0, lane } };
};
