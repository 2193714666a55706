import type { StepRule, View } from '../recipe.ts';

/** Whatever the agent says, the gates look at what it left: all of them, every time, also after a failed attempt. */
export const judgeByTheGates: StepRule = (iteration, view) => {
  const { last, judged } = iteration;
  if (last === null || judged?.attempt === last.attempt) return null;
  return {
    kind: 'do',
    effect: {
      kind: 'run-gates',
      key: `gates:${iteration.number}.${last.attempt}`,
      iteration: iteration.number,
      attempt: last.attempt,
      where: 'workspace',
      gates: [...view.settings.gates],
      name_tree: namesTree(last.claim !== null, view),
    },
  };
};

/** For a claim always; without one only where a change is asked for and none was seen yet, since naming a tree costs more than the rest of an iteration. */
function namesTree(isClaimed: boolean, { state, settings }: View): boolean {
  if (state.work.baseline === null) return false;
  return isClaimed || (settings.requireChange && settings.gates.length > 0 && !state.work.seen);
}
