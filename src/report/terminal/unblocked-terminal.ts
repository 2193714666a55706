import { constants, openSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';

/** The terminal behind stderr, by its own name and, when that may not be opened (after `su`), as the one that controls us. */
const NAMES = ['/proc/self/fd/2', '/dev/tty'];

const FIRST_RETRY_MS = 5;
const LAST_RETRY_MS = 200;

/**
 * Node writes to a terminal with calls that block, and one Ctrl-S would stop the whole loop. This opens it once more, for ourselves:
 * the flag on stderr would be that of the user's shell too. Null when there is no terminal to open.
 */
export function openUnblockedTerminal(): Writable | null {
  for (const name of NAMES) {
    try {
      return writableOn(openSync(name, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK));
    } catch {}
  }
  return null;
}

function writableOn(fd: number): Writable {
  return new Writable({
    write(bytes: Buffer, _encoding, done) {
      writeAll(fd, bytes, { retryMs: FIRST_RETRY_MS, done });
    },
  });
}

/** Tries until all is written. A terminal that is gone takes everything and shows nothing. */
function writeAll(fd: number, bytes: Buffer, { retryMs, done }: { readonly retryMs: number; readonly done: () => void }): void {
  const taken = writeSome(fd, bytes);
  if (taken === null || taken === bytes.length) {
    done();
    return;
  }
  const nextMs = taken > 0 ? FIRST_RETRY_MS : Math.min(LAST_RETRY_MS, retryMs * 2);
  // Nobody stays alive only to be read: whoever wants to wait for it does so by itself.
  setTimeout(() => writeAll(fd, bytes.subarray(taken), { retryMs: nextMs, done }), retryMs).unref();
}

/** How many bytes went out; null when none ever will. */
function writeSome(fd: number, bytes: Buffer): number | null {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : null;
  }
}
