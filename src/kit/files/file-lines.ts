import { closeSync, fstatSync, readSync } from 'node:fs';
import { openRegular } from './read.ts';

/** No file of ours has longer lines, so we do not spend memory on them. */
const longestLineBytes = 64 * 1024 * 1024;
/** Most lines end within the first read; later reads are larger. */
const firstWindowBytes = 8 * 1024;
const widestWindowBytes = 1024 * 1024;
const lineFeed = 0x0a;

export class LineTooLong extends Error {
  constructor() {
    super('a line is too long');
  }
}

/** The first line of an open file of any length. Null if the line has no end yet. */
export function firstLineIn(fd: number): string | null {
  const pieces: Buffer[] = [];
  for (let at = 0, window = firstWindowBytes; ; window = wider(window)) {
    const piece = bytesAt(fd, at, window);
    if (piece.length === 0) return null;
    const end = piece.indexOf(lineFeed);
    pieces.push(end < 0 ? piece : piece.subarray(0, end));
    if (end >= 0) return Buffer.concat(pieces).toString('utf8');
    at += piece.length;
    if (at > longestLineBytes) throw new LineTooLong();
  }
}

/** The last line of a file that has a complete line; read backwards. The bytes after the last line feed are torn or still being written. */
export function lastLineIn(fd: number): string {
  const pieces: Buffer[] = [];
  let isInside = false;
  let length = 0;
  for (let end = fstatSync(fd).size, window = firstWindowBytes; end > 0; window = wider(window)) {
    const start = Math.max(0, end - window);
    let piece = bytesAt(fd, start, end - start);
    if (!isInside) {
      const close = piece.lastIndexOf(lineFeed);
      isInside = close >= 0;
      piece = piece.subarray(0, Math.max(0, close));
    }
    const open = isInside ? piece.lastIndexOf(lineFeed) : -1;
    pieces.unshift(piece.subarray(open + 1));
    if (open >= 0) break;
    length += end - start;
    if (length > longestLineBytes) throw new LineTooLong();
    end = start;
  }
  return Buffer.concat(pieces).toString('utf8');
}

const wider = (window: number) => Math.min(2 * window, widestWindowBytes);

function bytesAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, position));
}

/** The first complete line of a file, without waiting. Null if the file is missing or not a regular file, or the line has no end yet or is too long. */
export function readFirstLine(path: string): string | null {
  const fd = openRegular(path);
  if (fd === null) return null;
  try {
    return firstLineIn(fd);
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}
