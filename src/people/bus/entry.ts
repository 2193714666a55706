import { isUtf8 } from 'node:buffer';

/** Every header begins with one of these keys. Other keys are left alone. */
const KEYS = ['msg_id', 'ts', 'type', 'project_id', 'task_id', 'run_id', 'issue_id', 'parents', 'links', 'meta'] as const;

/** How a line begins that, below three dashes, can only be the first line of a header. */
export const KEY_LINE = `(?:${KEYS.join('|')}):`;

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
