import { closeSync, fstatSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRegular } from '../../../kit/files/read.ts';
import { longestLineBytes, splitLines } from '../../../process/lines.ts';
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

/** A log that others write, empty and replace. What it gets is told line by line, whichever file it is by then. */
export interface FollowedFile extends Disposable {
  /** Whether there is one at all. */
  readonly isThere: boolean;
  /** Tells what is new. */
  listen(): void;
}

const PIECE_BYTES = 256 * 1024;

/** Begins so many bytes before its end; the line that is cut by that is not told. */
export function openFollowedFile(path: string, lastBytes: number, onLine: (line: string) => void): FollowedFile {
  let fd = openRegular(path);
  let at = 0;
  let isCut = false;
  let lines = splitter();
  if (fd !== null) {
    at = Math.max(0, fstatSync(fd).size - lastBytes);
    isCut = at > 0;
  }

  function splitter() {
    return splitLines(longestLineBytes, (line) => {
      if (!isCut) onLine(line);
      isCut = false;
    });
  }

  function startAnew(): void {
    lines.end();
    lines = splitter();
    at = 0;
    isCut = false;
  }

  function readOn(): void {
    if (fd === null) return;
    if (fstatSync(fd).size < at) startAnew();
    for (let piece = pieceAt(fd, at); piece.length > 0; piece = pieceAt(fd, at)) {
      at += piece.length;
      lines.push(piece);
    }
  }

  /** When another file lies at the path now, the old one is read to its end first. */
  function changeOver(): void {
    const next = openRegular(path);
    if (next === null) return;
    if (fd !== null && isSameFile(fd, next)) {
      closeSync(next);
      return;
    }
    readOn();
    if (fd !== null) closeSync(fd);
    fd = next;
    startAnew();
    readOn();
  }

  return {
    get isThere() {
      return fd !== null;
    },
    listen() {
      readOn();
      changeOver();
    },
    [Symbol.dispose]() {
      if (fd !== null) closeSync(fd);
      fd = null;
    },
  };
}

function isSameFile(one: number, other: number): boolean {
  const [a, b] = [fstatSync(one), fstatSync(other)];
  return a.ino === b.ino && a.dev === b.dev;
}

function pieceAt(fd: number, at: number): Buffer {
  const bytes = Buffer.allocUnsafe(PIECE_BYTES);
  return bytes.subarray(0, readSync(fd, bytes, 0, PIECE_BYTES, at));
}
