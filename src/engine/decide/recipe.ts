import type { Effect } from '../../journal/effects/effect.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import type { OpenIteration, RunState } from '../../journal/state/state.ts';
import type { Outcome } from '../../journal/words/outcome.ts';
import type { RunSettings } from '../../settings/schema/run-settings.ts';

/** What every rule may read: the whole state, never "the last event". `S`: the settings of the runs that have the rule. */
export interface View<S extends RunSettings = RunSettings> {
  readonly state: RunState<S>;
  readonly settings: S;
  readonly nowMs: number;
}

/** Returns null when the rule does not apply. */
export type StopRule<S extends RunSettings = RunSettings> = (view: View<S>) => Stop | null;
/** `I`: what is certain of the iterations of these runs. */
export type StepRule<S extends RunSettings = RunSettings, I extends OpenIteration = OpenIteration> = (iteration: I, view: View<S>) => Decision | null;
export type StartRule<S extends RunSettings = RunSettings> = (lane: number, view: View<S>) => Decision | null;
export type EndRule<S extends RunSettings = RunSettings> = (stop: Stop, view: View<S>) => Decision | null;
/** Asked at every turn, whatever is open or in flight: requests from outside, and limits on running effects. */
export type ErrandRule<S extends RunSettings = RunSettings> = (view: View<S>) => Decision | null;

/** A way of working: ordered lists of rules. The order on the page is the order in time, except for errands. */
export interface Recipe<S extends RunSettings = RunSettings, I extends OpenIteration = OpenIteration> {
  readonly name: string;
  readonly summary: string;
  readonly stops: readonly StopRule<S>[];
  readonly steps: readonly StepRule<S, I>[];
  readonly starts: readonly StartRule<S>[];
  readonly ends: readonly EndRule<S>[];
  readonly errands: readonly ErrandRule<S>[];
}

/** A recipe whose rules rely on what only its own runs have. Whoever runs it chooses it by the settings of the run. */
export function recipeFor<S extends RunSettings, I extends OpenIteration = OpenIteration>(recipe: Recipe<S, I>): Recipe {
  return recipe as unknown as Recipe;
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
