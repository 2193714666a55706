import { closeSync, fstatSync } from 'node:fs';
import type { BusMessage } from '../../journal/messages.ts';
import { openBusFiles } from './bus-files.ts';
import { readRange } from './entry.ts';
import { closeAll, type FileFrom, filesAfter, lineNumberAt, piecesBack } from './read-back.ts';
import { type Scanned, scan } from './scan.ts';

/** The last `count` messages of a bus, oldest first, archives included; fewer when they exceed `mostBytes`. */
export function lastMessages(path: string, count: number, mostBytes = Number.POSITIVE_INFINITY): readonly BusMessage[] {
  let found: readonly Scanned[] = [];
  for (const { fd } of count > 0 ? openBusFiles(path) : []) {
    found = withOlder(fd, found, { count, mostBytes });
    if (isEnough(found, { count, mostBytes })) break;
  }
  return newest(found, { count, mostBytes }).map(({ message }) => message);
}

/** All messages after the one with that id; null when there is none. */
export function messagesSince(path: string, id: string): readonly BusMessage[] | null {
  return overFilesAfter(path, id, (files) => files.flatMap(messagesFrom));
}

/** How many bytes come after the message with that id; null when there is none. */
export function bytesSince(path: string, id: string): number | null {
  return overFilesAfter(path, id, (files) => files.reduce((bytes, { file, place }) => bytes + fstatSync(file.fd).size - place, 0));
}

interface Bounds {
  readonly count: number;
  readonly mostBytes: number;
}

function withOlder(fd: number, newer: readonly Scanned[], bounds: Bounds): readonly Scanned[] {
  let found = newer;
  try {
    for (const older of piecesBack(fd, (here) => isEnough([...here, ...found], bounds), bounds.mostBytes)) {
      found = [...older, ...found];
      if (isEnough(found, bounds)) break;
    }
  } finally {
    closeSync(fd);
  }
  return found;
}

function isEnough(found: readonly Scanned[], { count, mostBytes }: Bounds): boolean {
  return found.length >= count || bytesOf(found) >= mostBytes;
}

function newest(found: readonly Scanned[], { count, mostBytes }: Bounds): readonly Scanned[] {
  let room = mostBytes;
  const tooMuch = found.findLastIndex(({ bytes }) => {
    room -= bytes;
    return room < 0;
  });
  return found.slice(tooMuch + 1).slice(-count);
}

const bytesOf = (found: readonly Scanned[]) => found.reduce((sum, { bytes }) => sum + bytes, 0);

function overFilesAfter<Result>(path: string, id: string, read: (files: readonly FileFrom[]) => Result): Result | null {
  const files = filesAfter(path, id);
  if (files === null) return null;
  try {
    return read(files);
  } finally {
    closeAll(files);
  }
}

function messagesFrom({ file: { fd }, place }: FileFrom): readonly BusMessage[] {
  const bytes = readRange(fd, place, fstatSync(fd).size);
  return scan({ bytes, startsBetween: true, isFileEnd: true, lineNumber: lineNumberAt(fd, place) }).map(({ message }) => message);
}
