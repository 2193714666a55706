import type { ErrandRule } from '../../../engine/decide/recipe.ts';

/** Each as soon as it is asked for, beside all else. Who leaves, or ends its children, starts none. */
export const startAChildAskedFor: ErrandRule = ({ state }) => {
  const { inFlight, children, leaving } = state;
  const begun = new Set(inFlight.map((effect) => effect.key));
  const child = children.asked.find(({ run }) => !begun.has(`child:${run}`));
  if (!child) return null;
  const key = `child:${child.run}`;
  const isOver = leaving !== null || children.tried.length > 0 || inFlight.some((effect) => effect.kind === 'end-children');
  if (isOver) return { kind: 'say', event: { type: 'child.refused', key, run: child.run, why: 'the run is being stopped' } };
  return { kind: 'do', effect: { kind: 'start-child', key, iteration: 0, attempt: 0, child } };
};
