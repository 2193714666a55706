import { closeSync, fstatSync, readSync } from 'node:fs';
import { openRegular } from '../../../kit/files/open-regular.ts';
import { longestLineBytes, splitLines } from '../../../process/lines.ts';

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
