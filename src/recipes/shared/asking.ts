import type { RunAgent } from '../../journal/effects/effect.ts';
import type { Decision } from '../../engine/decide/decision.ts';
import { lastNumber } from '../../journal/last-number.ts';
import type { View } from '../../engine/decide/recipe.ts';
import { costShareUsd } from '../../limits/run-cost.ts';
import { timeIsUpAtMs } from '../../limits/run-time.ts';
import type { OpenIteration } from '../../journal/state/state.ts';

/** What differs from one question to the next. */
type Question = Pick<RunAgent, 'role'> & Partial<Pick<RunAgent, 'prompt' | 'about' | 'failures' | 'context' | 'previous_life' | 'cwd' | 'work' | 'turn'>>;

/** A fresh agent in this iteration, within what the run has left of its time and money. */
export function asking(iteration: OpenIteration, view: View, question: Question): Decision {
  const attempt = iteration.attempts + 1;
  return {
    kind: 'do',
    effect: {
      kind: 'run-agent',
      key: `agent:${iteration.number}.${attempt}`,
      iteration: iteration.number,
      attempt,
      prompt: null,
      about: '',
      failures: [],
      maximum: lastNumber(view.state),
      context: null,
      previous_life: null,
      until: timeIsUpAtMs(view),
      budget_usd: costShareUsd(view),
      ...question,
    },
  };
}
