import { describe, expect, it } from 'vitest';
import type { Journal } from '../../src/engine/ports/stores.ts';
import type { JournalEvent } from '../../src/journal/events/journal-event.ts';

/** The contract of every journal. `open` returns a new journal, `reopen` the same one as after a restart. */
export function honoursTheJournalContract(name: string, open: () => Promise<{ journal: Journal; reopen: () => Promise<Journal> }>): void {
  const event = (seq: number): JournalEvent => ({ v: 1, seq, at: 1_000 + seq, body: { type: 'iteration.opened', iteration: seq, lane: 1 } });

  describe(`${name} honours the journal's contract`, () => {
    it('is empty when it is new', async () => {
      expect((await open()).journal.past).toEqual([]);
    });

    it('returns the appended events in order after it is opened again', async () => {
      const { journal, reopen } = await open();
      for (const seq of [1, 2, 3]) await journal.append(event(seq), seq === 2);
      await journal.close();
      expect((await reopen()).past).toEqual([event(1), event(2), event(3)]);
    });

    it('does not change the events that it has read when new ones are appended', async () => {
      const { journal } = await open();
      await journal.append(event(1), true);
      expect(journal.past).toEqual([]);
    });

    it('keeps an event as it was at the append', async () => {
      const { journal, reopen } = await open();
      const changing = { ...event(1), body: { type: 'effect.lost' as const, key: 'before' } };
      await journal.append(changing, false);
      changing.body.key = 'after';
      await journal.close();
      expect((await reopen()).past[0]?.body).toEqual({ type: 'effect.lost', key: 'before' });
    });
  });
}
