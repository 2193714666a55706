import { closeSync, fstatSync } from 'node:fs';
import type { BusMessage } from '../../journal/messages.ts';
import { archivesOf, isStillAt, type OpenBus, openToRead } from './bus-files.ts';
import { readRange } from './entry.ts';
import { filesAfter, lineNumberAt } from './read-back.ts';
import { type Scanned, scan } from './scan.ts';

/** Follows a bus over all the files it is written to. */
export interface BusFollower extends Disposable {
  next(): readonly BusMessage[];
}

/** Rotated files are read for a while longer, because a writer may still have had one open. */
const MOST_HELD_OPEN = 8;

/** From the first message of the file, or after the one with that id; null when there is none. */
export function openBusFollower(path: string, fromId: string | null): BusFollower | null {
  // The archives are listed first: later ones are new.
  const passed = new Set(archivesOf(path));
  const begun = fromId === null ? [] : filesAfter(path, fromId);
  if (begun === null) return null;
  const heldOpen = begun.map(({ file, place }) => openTrail(file, place));

  function newFiles(): readonly OpenBus[] {
    // In this order: a file that is rotated in between is found either as an archive now, or at its path the next time.
    const now = openToRead(path);
    const archived = archivesOf(path).filter((archive) => !passed.has(archive));
    for (const archive of archived) passed.add(archive);
    return [...archived.reverse().map(openToRead), now].filter((file) => file !== null).filter((file) => !closedAsHeld(heldOpen, file));
  }

  return {
    next() {
      const messages = heldOpen.flatMap((trail) => trail.next());
      const current = heldOpen.at(-1);
      if (current !== undefined && isStillAt(path, current.file)) return messages;
      const trails = newFiles().map((file) => openTrail(file, 0));
      heldOpen.push(...trails);
      while (heldOpen.length > MOST_HELD_OPEN) heldOpen.shift()?.[Symbol.dispose]();
      return [...messages, ...trails.flatMap((trail) => trail.next())];
    },
    [Symbol.dispose]() {
      for (const trail of heldOpen) trail[Symbol.dispose]();
    },
  };
}

function closedAsHeld(heldOpen: readonly FileFollower[], { fd, ino, dev }: OpenBus): boolean {
  const isHeld = heldOpen.some(({ file }) => file.ino === ino && file.dev === dev);
  if (isHeld) closeSync(fd);
  return isHeld;
}

/** One file of a bus, read from a place on as it grows. */
export interface FileFollower extends Disposable {
  readonly file: OpenBus;
  /** The entries completed since the last call. */
  next(): readonly BusMessage[];
}

const PIECE = 1024 * 1024;

function openTrail(file: OpenBus, from: number): FileFollower {
  const { fd } = file;
  let place = from;
  let sizeBefore = -1;

  /** The complete entries of a piece that is long enough for one, or reaches the end. */
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
      // The file was emptied: everything in it is new.
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
