import { lastNumber } from '../last-number.ts';
import type { StepRule } from '../recipe.ts';
import type { OpenIteration } from '../state.ts';

/** A fresh agent for this iteration; again after a usage limit, and a few times if it came to nothing at all. Neither costs an iteration. */
export const runTheAgent: StepRule = (iteration, { state, settings, nowMs }) => {
  if (!wantsAnAttempt(iteration, settings.limits.repeats)) return null;
  if (nowMs < state.limit.untilMs) return { kind: 'wait', untilMs: state.limit.untilMs };
  const attempt = iteration.attempts + 1;
  return {
    kind: 'do',
    effect: {
      kind: 'run-agent',
      key: `agent:${iteration.number}.${attempt}`,
      iteration: iteration.number,
      attempt,
      role: 'work',
      failures: [...iteration.failures],
      maximum: lastNumber(state),
    },
  };
};

function wantsAnAttempt({ last, repeated }: OpenIteration, repeats: number): boolean {
  if (last === null) return true;
  switch (last.verdict) {
    case 'limited':
      return true;
    case 'empty':
    case 'lost':
      return repeated < repeats;
    case 'ok':
    case 'failed':
    case 'fatal':
      return false;
    default:
      return last.verdict satisfies never;
  }
}
