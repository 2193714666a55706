import type { StepRule } from '../recipe.ts';

/** Whatever the agent says, the gates look at what it left: all of them, every time, also after a failed attempt. */
export const judgeByTheGates: StepRule = (iteration, { state, settings }) => {
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
      gates: [...settings.gates],
      name_tree: state.work.baseline !== null && (last.claim !== null || (settings.gates.length > 0 && !state.work.seen)),
    },
  };
};
