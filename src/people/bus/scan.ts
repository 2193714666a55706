import type { BusMessage, NewBusMessage } from '../../journal/messages.ts';
import { bodyOf, type Edge, nextEdge, nextOpening, unescapeBody } from './entry.ts';
import { readYamlMap, type Yaml, type YamlMap } from './yaml-subset.ts';

/** A piece of a bus file, and what is known about its ends. */
export interface Piece {
  readonly bytes: Buffer;
  /** Whether no earlier entry extends into it: it begins at the start of the file or at the end of a complete entry. */
  readonly startsBetween: boolean;
  /** Whether the file ended there when it was read. */
  readonly isFileEnd: boolean;
  /** How far an entry that begins in it may extend beyond the piece. Of such an entry only the header and the size are returned. */
  readonly reach?: number;
  /** The number of its first line; counted only for messages without an id. */
  readonly lineNumber: () => number;
}

export interface Scanned {
  readonly message: BusMessage;
  /** The first byte after it. */
  readonly end: number;
  /** Whether only the end of the file ends it, so that its writer may go on. */
  readonly isOpenEnded: boolean;
  /** How many bytes of the file it takes. */
  readonly bytes: number;
}

/** All complete messages of a piece. Unfinished entries are skipped, at the end of the file and in its middle. */
export function scan(piece: Piece): readonly Scanned[] {
  const { bytes, startsBetween } = piece;
  let at = startsBetween ? 0 : bytes.indexOf('\n') + 1;
  let opening = nextOpening(bytes, at);
  const found: Scanned[] = startsBetween ? strayLines(piece, at, opening) : [];
  while (opening !== null) {
    const entry = readEntry(piece, opening);
    at = entry?.end ?? opening.end;
    opening = nextOpening(bytes, at);
    // What follows a torn entry may be the rest of its body, so nothing is read there.
    if (entry !== null) for (const each of [entry, ...strayLines(piece, at, opening)]) found.push(each);
  }
  return found;
}

function readEntry(piece: Piece, opening: Edge): Scanned | null {
  const { bytes } = piece;
  const closing = nextEdge(bytes, opening.end);
  if (closing === null || closing.isOpening) return null;
  const header = readHeader(bytes.toString('utf8', opening.end, closing.start));
  if (header === null) return null;
  const frame = header.bodyBytes === null ? unframed(piece, closing.end) : framed(piece, closing.end, header.bodyBytes);
  if (frame === null) return null;
  const { bodyEnd, end, isOpenEnded } = frame;
  if (bodyEnd > bytes.length)
    return { message: { ...header.message, ...leftOut(bodyEnd - closing.end) }, end, isOpenEnded, bytes: closing.end - opening.start };
  const body = bytes.subarray(closing.end, bodyEnd);
  return { message: { ...header.message, ...bodyOf(header.isDisguised ? unescapeBody(body) : body) }, end, isOpenEnded, bytes: end - opening.start };
}

const leftOut = (bytes: number) => ({ body: '', body_left_out: bytes });

interface Frame extends Pick<Scanned, 'end' | 'isOpenEnded'> {
  readonly bodyEnd: number;
}

/** Null when it is torn: bytes are missing, or another entry stands in their place. */
function framed({ bytes, reach = 0 }: Piece, start: number, length: number): Frame | null {
  const bodyEnd = start + length;
  const isAllThere = bytes[bodyEnd] === NEWLINE || (bodyEnd >= bytes.length && bodyEnd < reach);
  if (!isAllThere || nextEdge(bytes.subarray(0, bodyEnd + 1), start) !== null) return null;
  return { bodyEnd, end: bodyEnd + 1, isOpenEnded: false };
}

/** An entry by hand or by another tool: it extends to the next entry, or to the end of a file that ends with a complete line. */
function unframed({ bytes, isFileEnd }: Piece, start: number): Frame | null {
  const next = nextOpening(bytes, start);
  if (next === null && !(isFileEnd && bytes.at(-1) === NEWLINE)) return null;
  const end = next?.start ?? bytes.length;
  let bodyEnd = end;
  while (bodyEnd > start && LINE_ENDS.includes(bytes[bodyEnd - 1] ?? 0)) bodyEnd -= 1;
  return { bodyEnd, end, isOpenEnded: next === null };
}

/** The messages without a header before the next entry. */
function strayLines({ bytes, lineNumber }: Piece, start: number, opening: Edge | null): Scanned[] {
  const numberAtStart = () => lineNumber() + countNewlines(bytes.subarray(0, start));
  const lines = legacyLines(bytes.subarray(start, opening?.start ?? bytes.length), numberAtStart);
  return lines.map(({ message, end: lineEnd }) => ({ message, end: start + lineEnd, isOpenEnded: false, bytes: message.body.length }));
}

export function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

const NEWLINE = 0x0a;
const LINE_ENDS = [NEWLINE, 0x0d];

/** The format of a bus from before there were headers: `[2026-02-01 10:00:00] FACT: text`. */
const LEGACY = /^\[(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)\] (?:([A-Z][A-Z0-9_]*): )?(.*?)\r?$/;

export interface LegacyLine {
  readonly message: BusMessage;
  /** The first byte after it, relative to the beginning of the text. */
  readonly end: number;
}

/** The messages among complete lines. The number of the first line is computed only when there are any. */
function legacyLines(bytes: Buffer, firstNumber: () => number): readonly LegacyLine[] {
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

export interface Header {
  readonly message: Omit<BusMessage, 'body' | 'body_base64'>;
  /** Null for an entry of another tool: its body ends where the next entry begins. */
  readonly bodyBytes: number | null;
  readonly isDisguised: boolean;
}

/** Null without an id or a type. */
function readHeader(text: string): Header | null {
  const map = readYamlMap(text);
  const { msg_id, type, ts, project_id, body_bytes, body_disguised } = map;
  if (!isText(msg_id) || !isText(type) || msg_id === '' || type === '') return null;
  if (body_bytes !== undefined && !(isText(body_bytes) && /^\d{1,15}$/.test(body_bytes))) return null;
  return {
    message: { msg_id, ts: isText(ts) ? ts : '', type, project_id: isText(project_id) ? project_id : '', ...optionalParts(map) },
    bodyBytes: body_bytes === undefined ? null : Number(body_bytes),
    isDisguised: body_disguised === 'true',
  };
}

type Optional = Pick<NewBusMessage, 'task_id' | 'run_id' | 'issue_id' | 'parents' | 'links' | 'meta'>;

function optionalParts({ task_id, run_id, issue_id, parents, links, meta }: YamlMap): Optional {
  return {
    ...(isText(task_id) && { task_id }),
    ...(isText(run_id) && { run_id }),
    ...(isText(issue_id) && { issue_id }),
    ...(isList(parents) && { parents: parents.flatMap(parentOf) }),
    ...(isList(links) && { links: links.flatMap(linkOf) }),
    ...(isMap(meta) && { meta: textsOf(meta) }),
  };
}

/** A parent may also be a bare id, as older tools wrote it. */
function parentOf(item: Yaml): NonNullable<NewBusMessage['parents']> {
  if (isText(item)) return [{ msg_id: item }];
  if (!isMap(item)) return [];
  const { msg_id, kind, meta } = item;
  return isText(msg_id) ? [{ msg_id, ...(isText(kind) && { kind }), ...(isMap(meta) && { meta: textsOf(meta) }) }] : [];
}

function linkOf(item: Yaml): NonNullable<NewBusMessage['links']> {
  if (!isMap(item)) return [];
  const { url, label, kind } = item;
  return isText(url) ? [{ url, ...(isText(label) && { label }), ...(isText(kind) && { kind }) }] : [];
}

function textsOf(map: YamlMap): Record<string, string> {
  return Object.fromEntries(Object.entries(map).filter((pair): pair is [string, string] => isText(pair[1])));
}

const isText = (value: Yaml | undefined) => typeof value === 'string';
const isList = (value: Yaml | undefined): value is readonly Yaml[] => Array.isArray(value);
const isMap = (value: Yaml | undefined): value is YamlMap => typeof value === 'object' && !Array.isArray(value);
