import type { LoopEvent } from './loop-event.ts';

/** One writer and any number of readers, each from the moment it starts. A slow reader does not delay the run. */
export interface EventStream extends AsyncIterable<LoopEvent> {
  tell(event: LoopEvent): void;
  /** Readers still get the remaining events. After that an error is thrown to them. */
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
  /** Undefined on success. */
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
  /** The oldest waiting event, or the number of dropped events before it. */
  take(): LoopEvent | undefined;
  /** Resolves when there may be a new event. */
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

/** The event to drop first: the oldest agent event, else the oldest event. */
function leastWorth(events: readonly LoopEvent[]): number {
  return Math.max(
    0,
    events.findIndex(({ type }) => type === 'agent'),
  );
}
