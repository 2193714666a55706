import { isUtf8 } from 'node:buffer';
import { readSync } from 'node:fs';

/** Every header begins with one of these keys. Other keys are left alone. */
const KEYS = ['msg_id', 'ts', 'type', 'project_id', 'task_id', 'run_id', 'issue_id', 'parents', 'links', 'meta'] as const;

/** How a line begins that, below three dashes, can only be the first line of a header. */
const KEY_LINE = `(?:${KEYS.join('|')}):`;

/** A line that could be taken for the edge of a header, however often it was escaped before. */
const EDGE = ' *---[ \\t]*\\r?(?:\\n|$)';
const BEFORE_AN_EDGE = new RegExp(`(?<=^|\\n)(?=${EDGE})`, 'g');
const DISGUISED_EDGE = new RegExp(`(?<=^|\\n) (?=${EDGE})`, 'g');
const KEY_ON_TOP = new RegExp(`^(?= *${KEY_LINE})`);
const DISGUISED_KEY = new RegExp(`^ (?= *${KEY_LINE})`);

export interface EscapedBody {
  readonly bytes: Buffer;
  /** Whether `undisguised` must be called to restore it. */
  readonly isChanged: boolean;
}

/** The body as it goes into the file. Each line that looks like the edge of a header is indented by one space, so that no body can begin an entry. */
export function escapeBody(body: Buffer): EscapedBody {
  const text = body.toString('latin1');
  const safe = text.replace(KEY_ON_TOP, ' ').replace(BEFORE_AN_EDGE, ' ');
  return safe.length === text.length ? { bytes: body, isChanged: false } : { bytes: Buffer.from(safe, 'latin1'), isChanged: true };
}

export function unescapeBody(body: Buffer): Buffer {
  return Buffer.from(body.toString('latin1').replace(DISGUISED_EDGE, '').replace(DISGUISED_KEY, ''), 'latin1');
}

/** The text, and the bytes too where they are not UTF-8. */
export function bodyOf(bytes: Buffer): { readonly body: string; readonly body_base64?: string } {
  const body = bytes.toString();
  return isUtf8(bytes) ? { body } : { body, body_base64: bytes.toString('base64') };
}

const NEWLINE = 0x0a;
const DASHES = Buffer.from('---');
const REST_OF_AN_EDGE = /^[ \t]*\r?$/;
const FIRST_KEY = new RegExp(`^${KEY_LINE}`);
/** Longer than any key with its colon. */
const KEY_BYTES = 16;
/** Only spaces may follow the dashes; a longer line is not an edge. */
const EDGE_BYTES = 80;
/** The bytes of an edge, and enough of the next line to tell whether a header begins there. */
export const LONGEST_OPENING = EDGE_BYTES + KEY_BYTES;

/** A line of three dashes. */
export interface Edge {
  readonly start: number;
  /** The first byte of the next line. */
  readonly end: number;
  /** Whether a header begins below it. No body contains such a line, so this can be told from any place in the file. */
  readonly isOpening: boolean;
}

/** The next complete line of three dashes at or after the beginning of a line; null when there is none. */
export function nextEdge(bytes: Buffer, from: number): Edge | null {
  for (let start = bytes.indexOf(DASHES, from); start !== -1; start = bytes.indexOf(DASHES, start + 1)) {
    if (start !== from && bytes[start - 1] !== NEWLINE) continue;
    const newline = bytes.subarray(start, start + EDGE_BYTES).indexOf(NEWLINE);
    if (newline === -1 || !REST_OF_AN_EDGE.test(bytes.toString('latin1', start + DASHES.length, start + newline))) continue;
    const end = start + newline + 1;
    return { start, end, isOpening: FIRST_KEY.test(bytes.toString('latin1', end, end + KEY_BYTES)) };
  }
  return null;
}

/** The beginning of the next entry. */
export function nextOpening(bytes: Buffer, from: number): Edge | null {
  let edge = nextEdge(bytes, from);
  while (edge !== null && !edge.isOpening) edge = nextEdge(bytes, edge.end);
  return edge;
}

/** The bytes between two places of a file; fewer when it has become shorter. */
export function readRange(fd: number, start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, end - start));
  let length = 0;
  while (length < bytes.length) {
    const read = readSync(fd, bytes, length, Math.min(bytes.length - length, MOST_AT_ONCE), start + length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

const MOST_AT_ONCE = 1 << 30;
