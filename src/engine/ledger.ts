import { EventBody, JOURNAL_VERSION, type JournalEvent } from '../journal/events/journal-event.ts';
import { evolve } from '../journal/evolve/evolve.ts';
import { emptyState, type RunState } from '../journal/state/state.ts';
import type { Projection } from './contracts.ts';
import type { Clock } from './ports/ports.ts';
import type { Journal } from './ports/stores.ts';

/** Keeps journal and state in step: the state is always the fold of the journal. */
export interface Ledger {
  readonly state: RunState;
  /** Appends to the journal, then updates the state, then shows the event to projections. Rejects an event that could not be read back, without writing it. */
  record(body: EventBody): Promise<void>;
}

/** These events are synced to the disk before the loop goes on: a crash must not lose them. */
const DURABLE: ReadonlySet<EventBody['type']> = new Set(['run.started', 'effect.begun', 'merge.proven', 'run.stopped']);

/** `mask` removes secrets from an event before it reaches the journal, the state or a projection. */
export function openLedger(journal: Journal, clock: Clock, projections: readonly Projection[], mask: (body: EventBody) => EventBody = (body) => body): Ledger {
  let state = journal.past.reduce(evolve, emptyState);
  let seq = journal.past.at(-1)?.seq ?? 0;
  let lastMs = journal.past.at(-1)?.at ?? 0;
  return {
    get state() {
      return state;
    },
    async record(said) {
      EventBody.parse(said);
      const body = mask(said);
      const event: JournalEvent = { v: JOURNAL_VERSION, seq: seq + 1, at: Math.max(lastMs, clock.nowMs()), body };
      await journal.append(event, DURABLE.has(body.type));
      seq = event.seq;
      lastMs = event.at;
      state = evolve(state, event);
      for (const projection of projections) projection.onEvent(event, state);
    },
  };
}
