import { closeSync } from 'node:fs';
import type { BusMessage } from '../../journal/bus-message.ts';
import { archivesOf } from './archives.ts';
import { isStillAt, type OpenBus, openToRead } from './bus-path.ts';
import { filesAfter } from './files-after.ts';
import { openTrail, type Trail } from './trail.ts';

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
