import type { EndRule, ErrandRule } from '../../../engine/decide/recipe.ts';

/** A task that was taken while the run was stopping is released. */
export const releaseUnopenedTasks: EndRule = (_stop, { state: { tasks } }) => {
  const { taken } = tasks;
  if (taken === null) return null;
  const { task, n, tries, feedback, from } = taken;
  const fate = { task: task.id, n, state: 'free' as const, branch: from, base: null, tries, feedback };
  return { kind: 'do', effect: { kind: 'release-task', key: `release:0.${tasks.asked}`, iteration: 0, attempt: 0, ...fate } };
};

/** A worker that has lost its task ends its agent at once. */
export const endTheAgentOfALostTask: ErrandRule = ({ state }) => {
  const lost = state.open.find(({ currentTask }) => currentTask?.abandonedBecause != null);
  const agent = lost && state.inFlight.find((effect) => effect.kind === 'run-agent' && effect.iteration === lost.number);
  return agent ? { kind: 'cancel', key: agent.key, cause: lost.currentTask?.abandonedBecause ?? '' } : null;
};
