import { closeSync, fstatSync } from 'node:fs';
import type { BusMessage } from '../../journal/bus-message.ts';
import type { OpenBus } from './bus-path.ts';
import { lineNumberAt } from './read-back.ts';
import { readRange } from './read-range.ts';
import { type Scanned, scan } from './scan.ts';

/** One file of a bus, read on from a place as it grows. */
export interface Trail extends Disposable {
  readonly file: OpenBus;
  /** What has come to its end since the last call. */
  next(): readonly BusMessage[];
}

const PIECE = 1024 * 1024;

export function openTrail(file: OpenBus, from: number): Trail {
  const { fd } = file;
  let place = from;
  let sizeBefore = -1;

  /** The whole entries of a piece that is long enough to hold one, or reaches to the end. */
  function nextPiece(size: number, isAtRest: boolean): readonly Scanned[] {
    for (let length = PIECE; ; length *= 2) {
      const end = Math.min(size, place + length);
      const bytes = readRange(fd, place, end);
      const found = scan({ bytes, startsBetween: true, isFileEnd: end === size, lineNumber: lineNumberAt(fd, place) });
      const whole = found.filter(({ isOpenEnded }) => !isOpenEnded || isAtRest);
      if (whole.length > 0 || end === size) return whole;
    }
  }

  return {
    file,
    next() {
      const { size } = fstatSync(fd);
      // Somebody has emptied it: what is there now is new.
      if (size < place) place = 0;
      const isAtRest = size === sizeBefore;
      sizeBefore = size;
      const messages: BusMessage[] = [];
      while (place < size) {
        const found = nextPiece(size, isAtRest);
        if (found.length === 0) break;
        for (const { message } of found) messages.push(message);
        place += found.at(-1)?.end ?? 0;
      }
      return messages;
    },
    [Symbol.dispose]: () => closeSync(fd),
  };
}
