import { closeSync, fstatSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRegular } from '../../../kit/files/read.ts';
import { longestLineBytes, splitLines } from '../../../process/lines.ts';
import { type LogEntry, logEntryOf } from './log-entry.ts';

interface TailOptions {
  /** How many entries from the end. */
  readonly most: number;
  /** Continue until the signal, even if the log is emptied, replaced, or missing at first. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

/** How much of a long log is searched for its last entries. */
const LAST_BYTES = 8 * 1024 * 1024;
const EVERY_MS = 200;

export const logFileIn = (folder: string) => join(folder, 'ralph.jsonl');

/** Reports the last entries of a log and, with `follow`, new ones. False when there is no log and `follow` is off. */
export async function tailLog(folder: string, onEntry: (entry: LogEntry) => void, { most, follow, signal }: TailOptions): Promise<boolean> {
  let kept: LogEntry[] | null = [];
  const hear = (line: string) => {
    const entry = logEntryOf(line);
    if (entry === null) return;
    if (kept === null) return onEntry(entry);
    kept.push(entry);
    // Not on every line: removing one element at a time would move all the others each time.
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

/** The last few entries at this moment. */
export async function lastEntries(folder: string, most: number): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = [];
  await tailLog(folder, (entry) => entries.push(entry), { most, follow: false, signal: new AbortController().signal });
  return entries;
}

/** A log that others write, empty and replace. New lines are reported, whichever file has that name by then. */
export interface FollowedFile extends Disposable {
  /** Whether the file exists. */
  readonly isThere: boolean;
  /** Reports what is new. */
  listen(): void;
}

const PIECE_BYTES = 256 * 1024;

/** Starts this many bytes before the end; a line that is cut by that is skipped. */
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

  /** When another file has that path now, the old one is read to its end first. */
  function switchFile(): void {
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
      switchFile();
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
