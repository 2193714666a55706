import type { Effect } from '../../journal/effects/effect.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import type { Outcome } from '../../journal/words/outcome.ts';

/** What a rule can ask for. */
export type Decision =
  | { readonly kind: 'do'; readonly effect: Effect }
  | { readonly kind: 'say'; readonly event: EventBody }
  | { readonly kind: 'wait'; readonly untilMs: number }
  | { readonly kind: 'cancel'; readonly key: string; readonly cause: string }
  | Stop;

/** Closes the door; marked `now` it also cancels what is in flight. */
export interface Stop {
  readonly kind: 'stop';
  readonly outcome: Outcome;
  readonly now?: boolean;
}
