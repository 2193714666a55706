import type { AttemptEnded } from '../../journal/events/attempt.ts';
import type { JournalEvent } from '../../journal/events/journal-event.ts';
import type { IterationResult } from '../../journal/events/run.ts';

export interface ShownIteration {
  readonly iteration: number;
  readonly openedAtMs: number;
  /** Null while it is open, and for the iteration in which a run died. */
  readonly closedAtMs: number | null;
  readonly result: IterationResult | null;
  readonly accepted: boolean;
  readonly attempts: readonly AttemptEnded[];
  /** Null when at least one attempt reported no cost. */
  readonly costUsd: number | null;
}

/** Every iteration of a journal, not only the last ones that the state keeps. */
export function iterationsOf(events: readonly JournalEvent[]): readonly ShownIteration[] {
  const shown = new Map<number, ShownIteration>();
  const change = (number: number, with_: (shown: ShownIteration) => ShownIteration) => {
    const known = shown.get(number);
    if (known) shown.set(number, with_(known));
  };
  for (const { at, body } of events) {
    if (body.type === 'iteration.opened') {
      shown.set(body.iteration, { iteration: body.iteration, openedAtMs: at, closedAtMs: null, result: null, accepted: false, attempts: [], costUsd: null });
    } else if (body.type === 'attempt.ended') {
      change(body.iteration, (known) => withAttempt(known, body));
    } else if (body.type === 'iteration.closed') {
      change(body.iteration, (known) => ({ ...known, closedAtMs: at, result: body.result, accepted: body.accepted }));
    }
  }
  return [...shown.values()];
}

function withAttempt(known: ShownIteration, attempt: AttemptEnded): ShownIteration {
  const attempts = [...known.attempts, attempt];
  const costs = attempts.map(({ spent }) => spent?.cost_usd ?? null);
  const costUsd = costs.reduce((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0);
  return { ...known, attempts, costUsd };
}
