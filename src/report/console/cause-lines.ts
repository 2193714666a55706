import type { AttemptEnded } from '../../journal/events/attempt.ts';
import type { RunState } from '../../journal/state/state.ts';
import { causeText, isDone, type Outcome } from '../../journal/words/outcome.ts';
import { type Span, span } from './line.ts';
import { shorten } from './look.ts';

const WORDS_CHARS = 300;

/** The class of a failed attempt, beside why it failed. */
export function causeSpans({ cause }: Pick<AttemptEnded, 'cause'>): readonly Span[] {
  return cause === undefined ? [] : [span(` [${causeText(cause)}]`, 'dim')];
}

/** A run that waits for a person did not fail, whatever its last agent printed. */
const WAITS: ReadonlySet<Outcome['stop_reason']> = new Set(['waiting', 'blocked', 'held']);

/** Why the agent of a run failed that is not done, in the provider's own words: they are left out where the run's message has them. Null: it did not fail. */
export function runCauseText({ cause }: RunState, outcome: Outcome): string | null {
  if (cause === undefined || isDone(outcome) || WAITS.has(outcome.stop_reason)) return null;
  const words = outcome.message.includes(cause.message) ? '' : `: ${shorten(cause.message, WORDS_CHARS)}`;
  return `${causeText(cause)}${words}`;
}
