import { asking } from '../../shared/asking.ts';
import type { StepRule } from '../../../engine/decide/recipe.ts';
import { noLaterThanTheEnd } from '../../../limits/run-time.ts';
import { isOver } from '../working.ts';

/** A fresh agent for the task; again after a usage limit, which is neither a success nor a failure, and a few times if it came to nothing at all. */
export const runTheAgentOnTheTask: StepRule = (iteration, view) => {
  const { hand } = iteration;
  const { state, nowMs } = view;
  if (hand === null || hand.workspace === null || hand.settled !== null || hand.brought !== null || isOver(iteration, hand, view)) return null;
  if (nowMs < state.limit.untilMs) return { kind: 'wait', untilMs: noLaterThanTheEnd(state.limit.untilMs, view) };
  const { task, n, feedback, prompt, from } = hand;
  return asking(iteration, view, { role: 'work', cwd: hand.workspace.cwd, work: { task, n, feedback, goes_on: from !== null, prompt } });
};
