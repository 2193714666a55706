import type { GateResult } from '../../../journal/events/gates.ts';
import type { ClosedIteration, StartedState } from '../../../journal/state/state.ts';
import type { Outcome } from '../../../journal/words/outcome.ts';
import type { RunSettings } from '../../../settings/schema/run-settings.ts';

/** The result of a finished run; `judged` is the last result of its guardrails. */
export interface Ended<S extends RunSettings = RunSettings> {
  readonly outcome: Outcome;
  readonly state: StartedState<S>;
  readonly judged: readonly GateResult[];
  /** Every iteration whose end was seen. */
  readonly closed: readonly ClosedIteration[];
  readonly atMs: number;
}
