import type { JournalEvent } from '../../src/journal/events/journal-event.ts';
import { openHistory, type RunHistory } from '../../src/report/history/run-history.ts';

export function historyOf(events: Iterable<JournalEvent>): RunHistory {
  const fold = openHistory();
  for (const event of events) fold.add(event);
  return fold.history();
}
