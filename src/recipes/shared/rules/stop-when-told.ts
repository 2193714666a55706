import { notDone } from '../../../journal/words/outcome.ts';
import type { StopRule } from '../../../engine/decide/recipe.ts';

const EXIT_CODES: ReadonlyMap<string, number> = new Map([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
]);

/** The operator asked to leave: what runs may finish, unless they asked twice or the grace is over. */
export const stopWhenTold: StopRule = ({ state }) => {
  if (!state.leaving) return null;
  const { what, by } = state.leaving;
  const outcome = { ...notDone('interrupted', `Stopped by ${by}`, EXIT_CODES.get(by) ?? 130), signal: by };
  return { kind: 'stop', outcome, now: what === 'abort' };
};
