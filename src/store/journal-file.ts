import { hash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import type { Journal } from '../engine/ports/stores.ts';
import { Envelope, EventBody, JOURNAL_VERSION, type JournalEvent } from '../journal/events/journal-event.ts';
import { OperatorError } from '../kit/pure/operator-error.ts';
import { type ForeignChange, openSoleWriter, type SoleWriter } from './sole-writer.ts';

/** Never follows a link: an agent could have put it there to make us write somewhere else. */
const APPENDED = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

/** A journal as JSON lines, each with a running digest. Opening it for writing removes a torn last line, so that the next append starts on a new line. */
export async function openFileJournal(path: string): Promise<Journal> {
  const handle = await open(path, APPENDED, 0o600).catch((error: unknown) => {
    throw journalLost(path, error);
  });
  try {
    const content = await handle.readFile();
    const { past, wholeBytes, digest } = parseJournal(content, path);
    if (wholeBytes < content.length) await handle.truncate(wholeBytes);
    const file = openSoleWriter(handle, path, content.subarray(0, wholeBytes));
    return { past, append: openAppend({ file, handle, path }, digest), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Reads a journal without changing it, and ignores a torn last line. */
export async function readJournalFile(path: string): Promise<readonly JournalEvent[]> {
  return parseJournal(await readFile(path), path).past;
}

/** The same for a journal of any length: one event after the other, in bounded memory. */
export async function* streamJournalFile(path: string): AsyncGenerator<JournalEvent, void> {
  const parser = openParser(path);
  let torn: Buffer = Buffer.alloc(0);
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES })) {
    const content: Buffer = torn.length === 0 ? piece : Buffer.concat([torn, piece]);
    const end = content.lastIndexOf(LINE_FEED) + 1;
    for (const line of wholeLines(content, end)) yield parser.parse(line);
    torn = content.subarray(end);
  }
}

/** A journal that is read while its loop writes it. */
export interface FollowedJournal {
  /** The events since the last call. A torn last line is read when it is whole. `mostBytes`: of a long journal about that much, and none at its end. */
  more(mostBytes?: number): Promise<readonly JournalEvent[]>;
}

export function followJournalFile(path: string): FollowedJournal {
  const parser = openParser(path);
  let at = 0;
  return {
    async more(mostBytes = Number.POSITIVE_INFINITY) {
      await using handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
      const left = Math.max(0, (await handle.stat()).size - at);
      for (let bytes = mostBytes; ; bytes *= 2) {
        const content = await handle.read({ position: at, buffer: Buffer.alloc(Math.min(bytes, left)) });
        const read = content.buffer.subarray(0, content.bytesRead);
        const end = read.lastIndexOf(LINE_FEED) + 1;
        // Only a line longer than the piece has no end in it.
        if (end === 0 && bytes < left) continue;
        at += end;
        return wholeLines(read, end).map(parser.parse);
      }
    },
  };
}

const PIECE_BYTES = 1024 * 1024;
const LINE_FEED = 0x0a;

const wholeLines = (content: Buffer, end: number) => content.subarray(0, end).toString('utf8').split('\n').slice(0, -1);

interface OpenFile {
  readonly file: SoleWriter;
  readonly handle: FileHandle;
  readonly path: string;
}

/** Checks for foreign changes after it has written the line: the digest of that line then proves to every reader that the content before it is not ours. */
function openAppend({ file, handle, path }: OpenFile, before: string): Journal['append'] {
  let digest = before;
  return async ({ v, seq, at, body }, durable) => {
    const line = JSON.stringify({ v, seq, at, ...body });
    digest = digestOf(digest, line);
    try {
      await file.append(`${sealLine(line, digest)}\n`);
      if (durable) await handle.datasync();
    } catch (error) {
      throw journalLost(path, error);
    }
    const meddling = durable ? await file.foreignChange() : null;
    if (meddling !== null) throw await whatBecameOf(path, meddling);
  };
}

async function whatBecameOf(path: string, meddling: ForeignChange): Promise<OperatorError> {
  if (meddling === 'deleted') return journalDeleted(path);
  if (meddling === 'replaced') return journalTampered(path, null, 'another file was put in its place while this run was writing it');
  const broken = await readJournalFile(path).catch((error: unknown) => error);
  if (broken instanceof OperatorError && broken.code === 'journal-tampered') return broken;
  return journalTampered(path, null, 'somebody else wrote in it while this run did');
}

/** Writes to a deleted file succeed, but the content is lost when this process ends. */
function journalDeleted(path: string): OperatorError {
  return new OperatorError('journal-lost', `The journal ${path} was deleted while this run was writing it.`, {
    hint: 'The working copy is as the agent left it, but this run cannot be resumed. Start a new one.',
    exitCode: 4,
  });
}

interface Parsed {
  readonly past: readonly JournalEvent[];
  readonly wholeBytes: number;
  /** The digest up to the last line, including lines from before digests existed. */
  readonly digest: string;
}

function parseJournal(content: Buffer, path: string): Parsed {
  const wholeBytes = content.lastIndexOf(LINE_FEED) + 1;
  const parser = openParser(path);
  const past = wholeLines(content, wholeBytes).map(parser.parse);
  return { past, wholeBytes, digest: parser.digest() };
}

interface Parser {
  parse(sealed: string): JournalEvent;
  digest(): string;
}

/** Takes the lines of a journal in their order and checks each against its digest. */
function openParser(path: string): Parser {
  let digest = '';
  let isSealed = false;
  let number = 0;
  return {
    parse(sealed) {
      number += 1;
      const opened = openLine(sealed);
      digest = digestOf(digest, opened.line);
      isSealed ||= opened.digest !== null;
      if (isSealed && opened.digest !== digest) throw journalTampered(path, number, whatIsWrong(opened));
      return parseLine(opened.line, number, path);
    },
    digest: () => digest,
  };
}

function whatIsWrong({ digest }: OpenedLine): string {
  return digest === null ? 'somebody else wrote that line' : 'that line was changed, or one before it was changed, removed, added or moved';
}

function parseLine(line: string, number: number, path: string): JournalEvent {
  const json = parseJson(line, number, path);
  const envelope = Envelope.safeParse(json);
  if (!envelope.success) throw journalUnreadable(path, number, 'this is no event of a journal');
  const { v, seq, at, type } = envelope.data;
  if (v > JOURNAL_VERSION)
    throw journalUnreadable(path, number, `written by a newer ralph (journal version ${v}, this one reads ${JOURNAL_VERSION}); update ralph`);
  if (seq !== number) throw journalUnreadable(path, number, `event ${seq} stands where event ${number} belongs; the file was edited or is incomplete`);
  const { v: _v, seq: _seq, at: _at, ...rest } = json as Record<string, unknown>;
  const body = EventBody.safeParse(rest);
  if (!body.success) throw journalUnreadable(path, number, `this ralph does not know the event "${type}" in this form; another version of ralph wrote it`);
  return { v, seq, at, body: body.data };
}

function parseJson(line: string, number: number, path: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw journalUnreadable(path, number, 'this is not JSON; the file is damaged');
  }
}

/** The journal can no longer be written: the run stops, and what was written stays. */
function journalLost(path: string, cause: unknown): OperatorError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new OperatorError('journal-lost', `The journal ${path} cannot be written (${reason}).`, {
    hint: 'Nothing already written is lost. Free the disk or fix the permissions, then continue with: ralph runs resume',
    exitCode: 4,
    cause,
  });
}

/** The journal is not what we wrote, so we stop instead of guessing. */
function journalUnreadable(path: string, line: number, what: string): OperatorError {
  return new OperatorError('journal-unreadable', `${path} line ${line}: ${what}.`, {
    hint: 'Start a new run; the folder beside the journal keeps every prompt and output.',
    exitCode: 4,
  });
}

/** Somebody else changed the journal, so it no longer shows what the run has done. `line` is null if no single line is to blame. */
function journalTampered(path: string, line: number | null, what: string): OperatorError {
  return new OperatorError('journal-tampered', `The journal ${path} is not what ralph wrote${line === null ? '' : `, from line ${line} on`}: ${what}.`, {
    hint: 'The work itself is as the agents left it: look at it, then start a new run. The folder beside the journal keeps every prompt and output.',
    exitCode: 4,
  });
}

const SEAL = /,"d":"([0-9a-f]{16})"\}$/;
const SEAL_CHARS = ',"d":"0123456789abcdef"}'.length;

/** A line of a journal without its digest. */
export interface OpenedLine {
  readonly line: string;
  /** Null if it has none. */
  readonly digest: string | null;
}

/**
 * A digest of the journal up to and including this line, in 16 digits. A changed, removed, added or moved line shows at its place or at the next one.
 * It protects against accidents and careless edits, not against a forger: it contains no secret. Only a running loop, which knows what it
 * wrote, notices somebody who removes or recomputes all digests, or cuts lines off the end.
 */
export function digestOf(before: string, line: string): string {
  return hash('sha256', before + line, 'hex').slice(0, 16);
}

export function sealLine(line: string, digest: string): string {
  return `${line.slice(0, -1)},"d":"${digest}"}`;
}

/** The digest is the last field of the line; no event has a field of that name. */
export function openLine(sealed: string): OpenedLine {
  const line = sealed.endsWith('\r') ? sealed.slice(0, -1) : sealed;
  const digest = SEAL.exec(line.slice(-SEAL_CHARS))?.[1];
  return digest === undefined ? { line, digest: null } : { line: `${line.slice(0, -SEAL_CHARS)}}`, digest };
}
