import { EventBody, JOURNAL_VERSION, type JournalEvent } from '../journal/events/journal-event.ts';
import { evolve } from '../journal/evolve/evolve.ts';
import { emptyState, type RunState } from '../journal/state/state.ts';
import type { Projection } from './contracts.ts';
import type { Clock } from './ports/ports.ts';
import type { Journal } from './ports/stores.ts';

/** Journal and state kept in step: state is what the journal adds up to, and nothing else. */
export interface Ledger {
  readonly state: RunState;
  /** Appends, then evolves, then shows: journal before world. Rejects, with nothing written, what could not be read back. */
  record(body: EventBody): Promise<void>;
}

/** Written to the disk itself before the loop goes on: what a crash must not forget. */
const DURABLE: ReadonlySet<EventBody['type']> = new Set(['run.started', 'effect.begun', 'merge.proven', 'run.stopped']);

/** `mask` takes secrets out of an event before anybody sees it: the journal, the state and those who are shown it. */
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
