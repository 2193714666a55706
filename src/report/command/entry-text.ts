import { printable } from '../../kit/pure/text.ts';
import type { LogEntry } from '../../recipes/work/logs/log-entry.ts';

/** `[3] completed: merged as abc1234` (seed 000). */
export function entryText({ iteration, action, outcome }: LogEntry): string {
  return `[${iteration}] ${printable(action)}: ${printable(outcome)}`;
}

/** The same with a leading timestamp. */
export function stampedEntryText(entry: LogEntry): string {
  return `[${printable(entry.timestamp)}] ${entryText(entry)}`;
}
