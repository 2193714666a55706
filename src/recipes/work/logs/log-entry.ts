import * as z from 'zod';

/** Loose on purpose: the log of another tool with the same fields, or of a newer version, is read as far as it goes (seed 000). */
const LogEntry = z.looseObject({
  timestamp: z.string(),
  iteration: z.number(),
  action: z.string(),
  outcome: z.string(),
});
export type LogEntry = Readonly<z.infer<typeof LogEntry>>;

/** Null for a line that is no entry: somebody may have torn or edited it. */
export function logEntryOf(line: string): LogEntry | null {
  try {
    // As it was written, its fields in their order.
    const value: unknown = JSON.parse(line);
    return LogEntry.safeParse(value).success ? (value as LogEntry) : null;
  } catch {
    return null;
  }
}
