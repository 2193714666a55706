import type { JournalEvent } from '../../journal/events/journal-event.ts';

/** A run's truth: events in order, each whole or absent. One writer; who writes holds the run's lock. */
export interface Journal {
  /** Everything written before this journal was opened. A torn last line was cut before. */
  readonly past: readonly JournalEvent[];
  /** Resolves when the line is in the file; with `durable` when it is on the disk. Rejects with JournalLost when it cannot be written. */
  append(event: JournalEvent, durable: boolean): Promise<void>;
  close(): Promise<void>;
}
