import type { EndRule } from '../../../engine/decide/recipe.ts';

/** A task that was taken while the door was closing is nobody's. */
export const letGoWhatWasTaken: EndRule = (_stop, { state: { tasks } }) => {
  const { taken } = tasks;
  if (taken === null) return null;
  const { task, n, tries, feedback, from } = taken;
  const fate = { task: task.id, n, state: 'free' as const, branch: from, base: null, tries, feedback };
  return { kind: 'do', effect: { kind: 'release-task', key: `release:0.${tasks.asked}`, iteration: 0, attempt: 0, ...fate } };
};
