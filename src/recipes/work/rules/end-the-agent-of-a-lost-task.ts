import type { ErrandRule } from '../../../engine/decide/recipe.ts';

/** Who has lost a task works for nobody: its agent is ended at once. */
export const endTheAgentOfALostTask: ErrandRule = ({ state }) => {
  const lost = state.open.find(({ hand }) => hand?.givenUp != null);
  const agent = lost && state.inFlight.find((effect) => effect.kind === 'run-agent' && effect.iteration === lost.number);
  return agent ? { kind: 'cancel', key: agent.key, cause: lost.hand?.givenUp ?? '' } : null;
};
