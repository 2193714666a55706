import type { Writable } from 'node:stream';

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
