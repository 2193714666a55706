import { describe, expect, it } from 'vitest';
import type { Journal } from '../../src/engine/ports/stores.ts';
import type { JournalEvent } from '../../src/journal/events/journal-event.ts';

/** What every journal must do. `open` gives a new journal, `reopen` the same one again as after a restart. */
export function honoursTheJournalContract(name: string, open: () => Promise<{ journal: Journal; reopen: () => Promise<Journal> }>): void {
  const event = (seq: number): JournalEvent => ({ v: 1, seq, at: 1_000 + seq, body: { type: 'iteration.opened', iteration: seq, lane: 1 } });

  describe(`${name} honours the journal's contract`, () => {
    it('has no past when it is new', async () => {
      expect((await open()).journal.past).toEqual([]);
    });

    it('gives back what was appended, in order, after it is opened again', async () => {
      const { journal, reopen } = await open();
      for (const seq of [1, 2, 3]) await journal.append(event(seq), seq === 2);
      await journal.close();
      expect((await reopen()).past).toEqual([event(1), event(2), event(3)]);
    });

    it('does not change its past while it is appended to', async () => {
      const { journal } = await open();
      await journal.append(event(1), true);
      expect(journal.past).toEqual([]);
    });

    it('keeps an event as it was when it was appended', async () => {
      const { journal, reopen } = await open();
      const changing = { ...event(1), body: { type: 'effect.lost' as const, key: 'before' } };
      await journal.append(changing, false);
      changing.body.key = 'after';
      await journal.close();
      expect((await reopen()).past[0]?.body).toEqual({ type: 'effect.lost', key: 'before' });
    });
  });
}
