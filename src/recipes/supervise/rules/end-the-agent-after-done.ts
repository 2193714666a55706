import type { ErrandRule } from '../../../engine/decide/recipe.ts';
import { specOf } from '../supervising.ts';

/** An agent that has said DONE and stays on is ended when its grace is over; what it said still counts. */
export const endTheAgentAfterDone: ErrandRule = (view) => {
  const { inFlight, task } = view.state;
  const { doneGraceMs } = specOf(view);
  const agent = inFlight.find((effect) => effect.kind === 'run-agent');
  if (!agent || task.doneSinceMs === null || doneGraceMs === 0) return null;
  const untilMs = task.doneSinceMs + doneGraceMs;
  return view.nowMs < untilMs ? { kind: 'wait', untilMs } : { kind: 'cancel', key: agent.key, cause: 'DONE is there, and the agent stayed on' };
};
