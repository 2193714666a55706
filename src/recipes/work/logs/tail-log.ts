import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openFollowedFile } from './followed-file.ts';
import { type LogEntry, logEntryOf } from './log-entry.ts';

interface TailWish {
  /** How many of the last entries. */
  readonly most: number;
  /** Goes on until the signal, also when the log is emptied, replaced, or not there yet. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

/** So much of a long log is looked through for its last entries. */
const LAST_BYTES = 8 * 1024 * 1024;
const EVERY_MS = 200;

export const logFileIn = (folder: string) => join(folder, 'ralph.jsonl');

/** Tells the last entries of a log, and if asked for those that come. False when there is none, and nobody waited for it. */
export async function tailLog(folder: string, onEntry: (entry: LogEntry) => void, { most, follow, signal }: TailWish): Promise<boolean> {
  let kept: LogEntry[] | null = [];
  const hear = (line: string) => {
    const entry = logEntryOf(line);
    if (entry === null) return;
    if (kept === null) return onEntry(entry);
    kept.push(entry);
    // Now and then, since taking one away at a time would move all the others each time.
    if (kept.length > 2 * most + 100) kept = lastOf(kept, most);
  };
  using file = openFollowedFile(logFileIn(folder), LAST_BYTES, hear);
  file.listen();
  for (const entry of lastOf(kept, most)) onEntry(entry);
  kept = null;
  while (follow && !signal.aborted) {
    await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
    file.listen();
  }
  return file.isThere;
}

const lastOf = (entries: readonly LogEntry[], most: number) => (most === 0 ? [] : entries.slice(-most));

/** The last few, as they are now. */
export async function lastEntries(folder: string, most: number): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = [];
  await tailLog(folder, (entry) => entries.push(entry), { most, follow: false, signal: new AbortController().signal });
  return entries;
}
