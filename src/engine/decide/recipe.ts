import type { RunSettings } from '../../settings/schema/run-settings.ts';
import type { Decision, Stop } from './decision.ts';
import type { OpenIteration, RunState } from '../../journal/state/state.ts';

/** What every rule may read: the whole state, never "the last event". */
export interface View {
  readonly state: RunState;
  readonly settings: RunSettings;
  readonly nowMs: number;
}

/** Silent (null) when it has nothing to say. */
export type StopRule = (view: View) => Stop | null;
export type StepRule = (iteration: OpenIteration, view: View) => Decision | null;
export type StartRule = (lane: number, view: View) => Decision | null;
export type EndRule = (stop: Stop, view: View) => Decision | null;
/** Asked at every turn, whatever is open or in flight: what somebody outside wants, and what bounds what is in flight. */
export type ErrandRule = (view: View) => Decision | null;

/** A way of working: ordered lists of rules. The order on the page is the order in time; errands stand beside it. */
export interface Recipe {
  readonly name: string;
  readonly summary: string;
  readonly stops: readonly StopRule[];
  readonly steps: readonly StepRule[];
  readonly starts: readonly StartRule[];
  readonly ends: readonly EndRule[];
  readonly errands: readonly ErrandRule[];
}
