import type { LoopEvent } from './loop-event.ts';

/** One who tells, and any number who read along, each from the moment on at which it begins. Nobody who reads slowly holds the run up. */
export interface EventStream extends AsyncIterable<LoopEvent> {
  tell(event: LoopEvent): void;
  /** Those who read are given the rest first. An error is thrown to them after that. */
  end(error?: unknown): void;
}

const MOST_WAITING = 1_000;

export function openEventStream(mostWaiting = MOST_WAITING): EventStream {
  const readers = new Set<Reader>();
  let ended: Ended | null = null;
  return {
    tell(event) {
      for (const reader of readers) reader.push(event);
    },
    end(error) {
      ended = { error };
      for (const reader of readers) reader.wake();
    },
    [Symbol.asyncIterator]() {
      const reader = openReader(mostWaiting);
      if (ended === null) readers.add(reader);
      return readAll(
        reader,
        () => ended,
        () => readers.delete(reader),
      );
    },
  };
}

interface Ended {
  /** Undefined when all went well. */
  readonly error: unknown;
}

async function* readAll(reader: Reader, ended: () => Ended | null, leave: () => void): AsyncGenerator<LoopEvent, void, undefined> {
  try {
    for (;;) {
      const event = reader.take();
      const end = ended();
      if (event !== undefined) yield event;
      else if (end === null) await reader.news();
      else if (end.error === undefined) return;
      else throw end.error;
    }
  } finally {
    leave();
  }
}

interface Reader {
  push(event: LoopEvent): void;
  /** The oldest that waits, or how many are missing before it. */
  take(): LoopEvent | undefined;
  /** Resolves when there may be something new. */
  news(): Promise<void>;
  wake(): void;
}

function openReader(mostWaiting: number): Reader {
  const waiting: LoopEvent[] = [];
  let dropped = 0;
  let wake = () => {};
  return {
    push(event) {
      if (waiting.length >= mostWaiting) {
        waiting.splice(leastWorth(waiting), 1);
        dropped += 1;
      }
      waiting.push(event);
      wake();
    },
    take() {
      if (dropped === 0) return waiting.shift();
      const count = dropped;
      dropped = 0;
      return { type: 'events.dropped', count };
    },
    news: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
    wake: () => wake(),
  };
}

/** What an agent says is worth less than what came of it; of both, the oldest. */
function leastWorth(events: readonly LoopEvent[]): number {
  return Math.max(
    0,
    events.findIndex(({ type }) => type === 'agent'),
  );
}
