import { closeSync, fstatSync } from 'node:fs';
import { type OpenBus, openBusFiles } from './bus-files.ts';
import { LONGEST_OPENING, nextOpening, readRange } from './entry.ts';
import { countNewlines, type Scanned, scan } from './scan.ts';

const FIRST_WINDOW = 16 * 1024;
const GROWTH = 4;
const CHUNK = 1024 * 1024;

type IsEnough = (found: readonly Scanned[]) => boolean;

/**
 * The complete entries of a file, read backwards in pieces; each piece is oldest first. A piece grows until it has enough entries or `mostBytes`. Of an entry
 * that is larger only the header is returned. Ends are offsets in the file.
 */
export function* piecesBack(fd: number, isEnough: IsEnough, mostBytes = Number.POSITIVE_INFINITY): Generator<readonly Scanned[], void> {
  const { size } = fstatSync(fd);
  // `end` is where reading ends. `next`, where the next known entry begins, is later when the last piece was only a part of a body.
  let [end, next] = [size, size];
  let window = FIRST_WINDOW;
  while (end > 0) {
    const start = Math.max(0, end - Math.min(window, mostBytes));
    const bytes = readRange(fd, start, end);
    const found = scan({ bytes, startsBetween: start === 0, isFileEnd: end === next, reach: next - start, lineNumber: lineNumberAt(fd, start) });
    if (start > 0 && window < mostBytes && !isEnough(found)) {
      window *= GROWTH;
      continue;
    }
    yield found.map((entry) => ({ ...entry, end: start + entry.end }));
    if (start === 0) return;
    const opening = nextOpening(bytes, bytes.indexOf('\n') + 1);
    if (opening !== null) next = start + opening.start;
    end = opening === null ? start + LONGEST_OPENING : next;
    window = FIRST_WINDOW;
  }
}

/** The number of the line at an offset, from 1. It is counted only when it is needed, and once. */
export function lineNumberAt(fd: number, place: number): () => number {
  let number = 0;
  return () => {
    number ||= 1 + newlinesBefore(fd, place);
    return number;
  };
}

function newlinesBefore(fd: number, place: number): number {
  let count = 0;
  for (let start = 0; start < place; start += CHUNK) count += countNewlines(readRange(fd, start, Math.min(place, start + CHUNK)));
  return count;
}

/** A file of a bus, and the place to read from. */
export interface FileFrom {
  readonly file: OpenBus;
  readonly place: number;
}

/** A search for a message that does not exist reads everything ever written. */
const READ_AT_ONCE = 4 * 1024 * 1024;

/** The file with that message, from its end on, and all newer files, oldest first; null when there is no such message. The caller closes them. */
export function filesAfter(path: string, id: string): FileFrom[] | null {
  const files: FileFrom[] = [];
  for (const file of openBusFiles(path)) {
    const place = placeAfter(file.fd, id);
    files.unshift({ file, place: place ?? 0 });
    if (place !== null) return files;
  }
  closeAll(files);
  return null;
}

export function closeAll(files: readonly FileFrom[]): void {
  for (const { file } of files) closeSync(file.fd);
}

function placeAfter(fd: number, id: string): number | null {
  const isIt = ({ message }: Scanned) => message.msg_id === id;
  for (const found of piecesBack(fd, (entries) => entries.some(isIt), READ_AT_ONCE)) {
    const it = found.findLast(isIt);
    if (it !== undefined) return it.end;
  }
  return null;
}
