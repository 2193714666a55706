import { constants, openSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import { io } from '../../process/io.ts';

/** Where this process tells what happens: stderr, since stdout is for results. Nobody who stops reading there stops the loop. */
export function openScreen(): PatientWriter {
  const { stderr } = io();
  return openPatientWriter((stderr.isTTY && openUnblockedTerminal()) || stderr);
}

/** The terminal behind stderr, by its own name and, when that may not be opened (after `su`), as the one that controls us. */
const NAMES = ['/proc/self/fd/2', '/dev/tty'];

const FIRST_RETRY_MS = 5;
const LAST_RETRY_MS = 200;

/**
 * Node writes to a terminal with calls that block, and one Ctrl-S would stop the whole loop. This opens it once more, for ourselves:
 * the flag on stderr would be that of the user's shell too. Null when there is no terminal to open.
 */
function openUnblockedTerminal(): Writable | null {
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

/** Writes to somebody who may stop reading for hours. What then becomes too much is left out and counted, the oldest first. */
export interface PatientWriter {
  /** Whether something still waits to be read. */
  readonly isBusy: boolean;
  /** Takes whole lines, and returns at once. */
  write(text: string): void;
  /** Resolves when all is read, or when nothing more was for a while. */
  close(): Promise<void>;
}

export interface Patience {
  /** What may wait to be read. The newest text is never left out, however long it is. */
  readonly queueChars: number;
  /** How much the reader is handed at a time, about. */
  readonly pieceChars: number;
  /** How long the end waits for a reader that takes nothing. */
  readonly stalledMs: number;
}

/** More than a burst that the console lets through, so that only a reader who has really stopped misses something. */
const PATIENCE: Patience = { queueChars: 1_000_000, pieceChars: 16_000, stalledMs: 2_000 };

export function openPatientWriter(stream: Writable, { queueChars, pieceChars, stalledMs }: Patience = PATIENCE): PatientWriter {
  const waiting: string[] = [];
  let waitingChars = 0;
  let linesLeftOut = 0;
  let piecesRead = 0;
  let isBusy = false;
  let whenIdle = () => {};

  function takeOldest(): string {
    const text = waiting.shift() ?? '';
    waitingChars -= text.length;
    return text;
  }

  function nextPiece(): string {
    const texts = linesLeftOut === 0 ? [] : [`... ${linesLeftOut} lines not shown: nobody was reading.\n`];
    linesLeftOut = 0;
    for (let left = pieceChars; left > 0 && waiting.length > 0; left -= texts.at(-1)?.length ?? 0) texts.push(takeOldest());
    return texts.join('');
  }

  function handOver(): void {
    const piece = nextPiece();
    isBusy = piece !== '';
    if (!isBusy) whenIdle();
    else stream.write(piece, pieceWasRead);
  }

  function pieceWasRead(): void {
    piecesRead += 1;
    handOver();
  }

  return {
    get isBusy() {
      return isBusy;
    },
    write(text) {
      waiting.push(text);
      waitingChars += text.length;
      while (waitingChars > queueChars && waiting.length > 1) linesLeftOut += takeOldest().split('\n').length - 1;
      if (!isBusy) handOver();
    },
    async close() {
      if (!isBusy) return;
      await new Promise<void>((resolve) => {
        let before = piecesRead;
        const watch = setInterval(() => {
          if (before === piecesRead) whenIdle();
          before = piecesRead;
        }, stalledMs);
        whenIdle = () => {
          clearInterval(watch);
          resolve();
        };
      });
    },
  };
}
