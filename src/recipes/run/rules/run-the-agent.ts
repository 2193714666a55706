import { asking } from '../../shared/asking.ts';
import { cleanContext } from '../clean-context.ts';
import type { StepRule } from '../../../engine/decide/recipe.ts';
import { noLaterThanTheEnd } from '../../../limits/run-time.ts';
import { wantsAnotherTry } from '../../../limits/wants-another-try.ts';

/** A fresh agent for this iteration; again after a usage limit, and a few times if it came to nothing at all. Neither costs an iteration. */
export const runTheAgent: StepRule = (iteration, view) => {
  const { state, settings, nowMs } = view;
  const { last, repeated, failures } = iteration;
  if (last !== null && !wantsAnotherTry(last.verdict, repeated, settings.limits.repeats)) return null;
  if (nowMs < state.limit.untilMs) return { kind: 'wait', untilMs: noLaterThanTheEnd(state.limit.untilMs, view) };
  return asking(iteration, view, { role: 'work', failures: [...failures], context: cleanContext(view) });
};
