import { describe, expect, it } from 'vitest';
import { runStarted } from '../../test/support/given.ts';
import { handClock } from '../../test/support/hand-clock.ts';
import { memoryJournal } from '../../test/support/memory-journal.ts';
import { testSettings } from '../../test/support/run-settings.ts';
import type { EventBody } from '../journal/events/journal-event.ts';
import { notDone } from '../journal/words/outcome.ts';
import { openLedger } from './ledger.ts';

describe('the ledger', () => {
  it('refuses an event that could not be read back, and writes nothing', async () => {
    const journal = memoryJournal();
    const ledger = openLedger(journal, handClock(), []);
    await ledger.record(runStarted(testSettings()));
    const outcome = { ...notDone('interrupted', 'by mistake'), exit_code: Object as unknown as number };
    const damaged: EventBody = { type: 'run.stopped', outcome };
    await expect(ledger.record(damaged)).rejects.toThrow('exit_code');
    expect(journal.events).toHaveLength(1);
    expect(ledger.state.stopped).toBeNull();
  });
});
