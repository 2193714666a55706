import { asking } from '../../shared/asking.ts';
import type { StepRule } from '../../../engine/decide/recipe.ts';
import { wantsAnotherLife } from '../wants-another-life.ts';

/** The agent lives; again in the same iteration only when a usage limit is over. */
export const runTheRootAgent: StepRule = (iteration, view) => {
  const { state, nowMs } = view;
  if (!wantsAnotherLife(iteration)) return null;
  if (nowMs < state.limit.untilMs) return { kind: 'wait', untilMs: state.limit.untilMs };
  return asking(iteration, view, { role: 'work', failures: [...iteration.failures], previous_life: state.task.lastAttempt });
};
