import { constants, openSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import { io } from '../../process/io.ts';

/** The output of this process: stderr, because stdout is for results. A reader that stops reading does not stop the loop. */
export function openStderrWriter(): QueuedWriter {
  const { stderr } = io();
  return openQueuedWriter((stderr.isTTY && openUnblockedTerminal()) || stderr);
}

/** The terminal behind stderr: by its own name or, if that may not be opened (after `su`), as the controlling terminal. */
const NAMES = ['/proc/self/fd/2', '/dev/tty'];

const FIRST_RETRY_MS = 5;
const LAST_RETRY_MS = 200;

/**
 * Node writes to a terminal with blocking calls, so one Ctrl-S would stop the whole loop. This opens the terminal a second time for ourselves:
 * a non-blocking flag on stderr would also affect the user's shell. Null without a terminal.
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

/** Retries until everything is written. A terminal that is gone counts as having taken everything. */
function writeAll(fd: number, bytes: Buffer, { retryMs, done }: { readonly retryMs: number; readonly done: () => void }): void {
  const taken = writeSome(fd, bytes);
  if (taken === null || taken === bytes.length) {
    done();
    return;
  }
  const nextMs = taken > 0 ? FIRST_RETRY_MS : Math.min(LAST_RETRY_MS, retryMs * 2);
  // Does not keep the process alive: whoever wants to wait for the output does so explicitly.
  setTimeout(() => writeAll(fd, bytes.subarray(taken), { retryMs: nextMs, done }), retryMs).unref();
}

/** The number of bytes written; null when no more can be written. */
function writeSome(fd: number, bytes: Buffer): number | null {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : null;
  }
}

/** Writes to a reader that may stop reading for hours. When the queue is full, the oldest text is dropped and counted. */
export interface QueuedWriter {
  /** Whether unread text is queued. */
  readonly isBusy: boolean;
  /** Takes whole lines and returns at once. */
  write(text: string): void;
  /** Resolves when everything was read, or when the reader took nothing for a while. */
  close(): Promise<void>;
}

export interface QueueLimits {
  /** The size of the queue. The newest text is never dropped, however long it is. */
  readonly queueChars: number;
  /** About how much is written at a time. */
  readonly pieceChars: number;
  /** How long `close` waits for a reader that takes nothing. */
  readonly stalledMs: number;
}

/** Larger than a burst of the console, so that only a reader that has really stopped misses something. */
const PATIENCE: QueueLimits = { queueChars: 1_000_000, pieceChars: 16_000, stalledMs: 2_000 };

export function openQueuedWriter(stream: Writable, { queueChars, pieceChars, stalledMs }: QueueLimits = PATIENCE): QueuedWriter {
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
