import type { Effect } from '../../journal/effects/effect.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import type { OpenIteration, RunState } from '../../journal/state/state.ts';
import type { Outcome } from '../../journal/words/outcome.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';

/** What every rule may read: the whole state, never "the last event". */
export interface View {
  readonly state: RunState;
  readonly settings: RunSettings;
  readonly nowMs: number;
}

/** Returns null when the rule does not apply. */
export type StopRule = (view: View) => Stop | null;
export type StepRule = (iteration: OpenIteration, view: View) => Decision | null;
export type StartRule = (lane: number, view: View) => Decision | null;
export type EndRule = (stop: Stop, view: View) => Decision | null;
/** Asked at every turn, whatever is open or in flight: requests from outside, and limits on running effects. */
export type ErrandRule = (view: View) => Decision | null;

/** A way of working: ordered lists of rules. The order on the page is the order in time, except for errands. */
export interface Recipe {
  readonly name: string;
  readonly summary: string;
  readonly stops: readonly StopRule[];
  readonly steps: readonly StepRule[];
  readonly starts: readonly StartRule[];
  readonly ends: readonly EndRule[];
  readonly errands: readonly ErrandRule[];
}

/** What a rule can ask for. */
export type Decision =
  | { readonly kind: 'do'; readonly effect: Effect }
  | { readonly kind: 'say'; readonly event: EventBody }
  | { readonly kind: 'wait'; readonly untilMs: number }
  | { readonly kind: 'cancel'; readonly key: string; readonly cause: string }
  | Stop;

/** Nothing new is started. With `now`, running effects are cancelled too. */
export interface Stop {
  readonly kind: 'stop';
  readonly outcome: Outcome;
  readonly now?: boolean;
}
