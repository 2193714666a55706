import type { BusMessage } from '../../journal/bus-message.ts';

/** As a bus was written before it had headers: `[2026-02-01 10:00:00] FACT: text`. */
const LEGACY = /^\[(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)\] (?:([A-Z][A-Z0-9_]*): )?(.*?)\r?$/;

export interface LegacyLine {
  readonly message: BusMessage;
  /** The first byte after it, counted from the beginning of the text. */
  readonly end: number;
}

/** The messages among whole lines; the number of the first one is asked for only when there are any. */
export function legacyLines(bytes: Buffer, firstNumber: () => number): readonly LegacyLine[] {
  if (!bytes.includes('[')) return [];
  const found: LegacyLine[] = [];
  let index = 0;
  let first: number | null = null;
  for (let start = 0, newline = bytes.indexOf('\n'); newline !== -1; start = newline + 1, newline = bytes.indexOf('\n', start), index += 1) {
    const [, day, time, type = 'INFO', body] = LEGACY.exec(bytes.toString('utf8', start, newline)) ?? [];
    if (body === undefined) continue;
    first ??= firstNumber();
    const msg_id = `LEGACY-LINE-${String(first + index).padStart(9, '0')}`;
    found.push({ message: { msg_id, ts: `${day}T${time}Z`, type, project_id: '', body }, end: newline + 1 });
  }
  return found;
}
