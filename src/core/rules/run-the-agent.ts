import { cleanContext } from '../clean-context.ts';
import { lastNumber } from '../last-number.ts';
import type { StepRule } from '../recipe.ts';
import { costLeftUsd } from '../run-cost.ts';
import { noLaterThanTheEnd, timeIsUpAtMs } from '../run-time.ts';
import { wantsAnotherTry } from '../wants-another-try.ts';

/** A fresh agent for this iteration; again after a usage limit, and a few times if it came to nothing at all. Neither costs an iteration. */
export const runTheAgent: StepRule = (iteration, view) => {
  const { state, settings, nowMs } = view;
  const { last, repeated } = iteration;
  if (last !== null && !wantsAnotherTry(last.verdict, repeated, settings.limits.repeats)) return null;
  if (nowMs < state.limit.untilMs) return { kind: 'wait', untilMs: noLaterThanTheEnd(state.limit.untilMs, view) };
  const attempt = iteration.attempts + 1;
  return {
    kind: 'do',
    effect: {
      kind: 'run-agent',
      key: `agent:${iteration.number}.${attempt}`,
      iteration: iteration.number,
      attempt,
      role: 'work',
      prompt: null,
      about: '',
      failures: [...iteration.failures],
      maximum: lastNumber(state),
      context: cleanContext(view),
      until: timeIsUpAtMs(view),
      budget_usd: costLeftUsd(view),
    },
  };
};
