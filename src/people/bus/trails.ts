import { closeSync, fstatSync } from 'node:fs';
import type { BusMessage } from '../../journal/messages.ts';
import { archivesOf } from './archives.ts';
import { isStillAt, type OpenBus, openToRead } from './bus-files.ts';
import { filesAfter } from './files-after.ts';
import { readRange } from './openings.ts';
import { lineNumberAt } from './read-back.ts';
import { type Scanned, scan } from './scan.ts';

/** A bus that is read on, over all the files it comes to lie in. */
export interface Trails extends Disposable {
  next(): readonly BusMessage[];
}

/** Files that were put aside are read on for a while: who was about to write to one did so. */
const MOST_HELD = 8;

/** From the first message of the file on, or from the one after that id; null when there is no such one. */
export function openTrails(path: string, fromId: string | null): Trails | null {
  // Listed first: what is put aside from now on is news.
  const passed = new Set(archivesOf(path));
  const begun = fromId === null ? [] : filesAfter(path, fromId);
  if (begun === null) return null;
  const held = begun.map(({ file, place }) => openTrail(file, place));

  function newFiles(): readonly OpenBus[] {
    // In this order: what is put aside between the two is met as an archive now, or is not at its path the next time.
    const now = openToRead(path);
    const aside = archivesOf(path).filter((archive) => !passed.has(archive));
    for (const archive of aside) passed.add(archive);
    return [...aside.reverse().map(openToRead), now].filter((file) => file !== null).filter((file) => !closedAsHeld(held, file));
  }

  return {
    next() {
      const messages = held.flatMap((trail) => trail.next());
      const current = held.at(-1);
      if (current !== undefined && isStillAt(path, current.file)) return messages;
      const trails = newFiles().map((file) => openTrail(file, 0));
      held.push(...trails);
      while (held.length > MOST_HELD) held.shift()?.[Symbol.dispose]();
      return [...messages, ...trails.flatMap((trail) => trail.next())];
    },
    [Symbol.dispose]() {
      for (const trail of held) trail[Symbol.dispose]();
    },
  };
}

function closedAsHeld(held: readonly Trail[], { fd, ino, dev }: OpenBus): boolean {
  const isHeld = held.some(({ file }) => file.ino === ino && file.dev === dev);
  if (isHeld) closeSync(fd);
  return isHeld;
}

/** One file of a bus, read on from a place as it grows. */
export interface Trail extends Disposable {
  readonly file: OpenBus;
  /** What has come to its end since the last call. */
  next(): readonly BusMessage[];
}

const PIECE = 1024 * 1024;

function openTrail(file: OpenBus, from: number): Trail {
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
