import { closeSync, fstatSync, readSync } from 'node:fs';
import { openRegular } from '../../kit/files/open-regular.ts';

/** A file that somebody else may still be writing, read as far as it goes. */
export interface GrowingFile extends Disposable {
  /** What is new, in pieces; empty when nothing is. */
  more(): Iterable<Buffer>;
  /** Whether its beginning was passed over. */
  readonly isCut: boolean;
}

const pieceBytes = 256 * 1024;
const lineFeed = 0x0a;

/** Begins so many bytes before its end, with a whole line. Not there yet, or never, it reads as empty. */
export function openGrowingFile(path: string, lastBytes: number): GrowingFile {
  let fd = openRegular(path);
  let at = fd === null ? 0 : startOfLine(fd, Math.max(0, fstatSync(fd).size - lastBytes));
  return {
    isCut: at > 0,
    *more() {
      fd ??= openRegular(path);
      for (let piece = pieceAt(fd, at); piece.length > 0; piece = pieceAt(fd, at)) {
        at += piece.length;
        yield piece;
      }
    },
    [Symbol.dispose]() {
      if (fd !== null) closeSync(fd);
      fd = null;
    },
  };
}

/** The first line that begins there or later; the end of the file if none does. */
function startOfLine(fd: number, from: number): number {
  if (from === 0) return 0;
  for (let at = from - 1; ; ) {
    const piece = pieceAt(fd, at);
    const end = piece.indexOf(lineFeed);
    if (end >= 0) return at + end + 1;
    if (piece.length === 0) return at;
    at += piece.length;
  }
}

function pieceAt(fd: number | null, at: number): Buffer {
  if (fd === null) return Buffer.alloc(0);
  const bytes = Buffer.allocUnsafe(pieceBytes);
  return bytes.subarray(0, readSync(fd, bytes, 0, pieceBytes, at));
}
