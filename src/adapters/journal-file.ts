import { fstatSync } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import type { Journal } from '../engine/ports/journal.ts';
import { Envelope, EventBody, JOURNAL_VERSION, type JournalEvent } from '../model/events/journal-event.ts';
import { journalLost, journalUnreadable } from '../model/journal-error.ts';
import { OperatorError } from '../model/operator-error.ts';

/** A journal as JSON lines. Opening it for writing cuts a torn last line, so that the next append cannot grow onto it. */
export async function openFileJournal(path: string): Promise<Journal> {
  const handle = await open(path, 'a+', 0o600).catch((error: unknown) => {
    throw journalLost(path, error);
  });
  try {
    const { past, wholeBytes, bytes } = parseJournal(await handle.readFile(), path);
    if (wholeBytes < bytes) await handle.truncate(wholeBytes);
    const isCounted = isLinked(handle);
    return {
      past,
      async append(event, durable) {
        await append(handle, event, durable, path);
        if (durable && isCounted && !isLinked(handle)) throw journalDeleted(path);
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Reads a journal without touching it; a torn last line is left out. */
export async function readJournalFile(path: string): Promise<readonly JournalEvent[]> {
  return parseJournal(await readFile(path), path).past;
}

async function append(handle: FileHandle, { v, seq, at, body }: JournalEvent, durable: boolean, path: string): Promise<void> {
  try {
    await handle.appendFile(`${JSON.stringify({ v, seq, at, ...body })}\n`);
    if (durable) await handle.datasync();
  } catch (error) {
    throw journalLost(path, error);
  }
}

/** A deleted file can be written for ever, and is gone with us. A file system that never counts names says no from the start. */
function isLinked(handle: FileHandle): boolean {
  return fstatSync(handle.fd).nlink > 0;
}

function journalDeleted(path: string): OperatorError {
  return new OperatorError('journal-lost', `The journal ${path} was deleted while this run was writing it.`, {
    hint: 'The working copy is as the agent left it, but this run cannot be resumed. Start a new one.',
    exitCode: 4,
  });
}

interface Parsed {
  readonly past: readonly JournalEvent[];
  readonly wholeBytes: number;
  readonly bytes: number;
}

function parseJournal(content: Buffer, path: string): Parsed {
  const wholeBytes = content.lastIndexOf(0x0a) + 1;
  const lines = content.subarray(0, wholeBytes).toString('utf8').split('\n').slice(0, -1);
  return { past: lines.map((line, index) => parseLine(line, index + 1, path)), wholeBytes, bytes: content.length };
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
  if (!body.success) throw journalUnreadable(path, number, `this ralph does not know the event "${type}" in this form; a newer ralph may have written it`);
  return { v, seq, at, body: body.data };
}

function parseJson(line: string, number: number, path: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw journalUnreadable(path, number, 'this is not JSON; the file is damaged');
  }
}
