import { asking } from '../../shared/asking.ts';
import type { StepRule } from '../../../engine/decide/recipe.ts';
import { noLaterThanTheEnd } from '../../../limits/run-time.ts';
import { isThrough, turnAsked } from '../turning.ts';

/** A fresh agent for the turn; again after a usage limit or an empty answer, in every mode; and one reviewer after the other. */
export const askTheAgentOfTheTurn: StepRule = (iteration, view) => {
  const { turn, last } = iteration;
  const { state, nowMs } = view;
  if (turn === null || turn.recorded !== null || (last !== null && turn.settled === null) || isThrough(iteration, turn, view)) return null;
  if (nowMs < state.limit.untilMs) return { kind: 'wait', untilMs: noLaterThanTheEnd(state.limit.untilMs, view) };
  return asking(iteration, view, { role: turn.mode === 'review' ? 'review' : 'work', turn: turnAsked(turn, view) });
};
