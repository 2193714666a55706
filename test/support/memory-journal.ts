import type { Journal } from '../../src/engine/ports/stores.ts';
import type { JournalEvent } from '../../src/journal/events/journal-event.ts';

/** A journal in memory; honours the journal's contract (test/contracts/journal.ts). */
export function memoryJournal(past: readonly JournalEvent[] = []): Journal & { readonly events: readonly JournalEvent[] } {
  const events: JournalEvent[] = [...past];
  return {
    past: [...past],
    events,
    append: async (event) => {
      events.push(structuredClone(event));
    },
    close: async () => undefined,
  };
}
