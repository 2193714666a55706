/** What reaches the loop from outside: facts, reports, watchers' news. One reader; any number of writers; each line keeps its order. */
export interface Mailbox<T> {
  /** A letter to go first is read before all that wait at the end of the line. True once the reader has dealt with it, false if the box was closed before. */
  post(letter: T, line?: 'first' | 'last'): Promise<boolean>;
  /** The next letter, or null when the signal aborts first. */
  next(signal: AbortSignal): Promise<Delivery<T> | null>;
  /** Lets every waiting writer go; later letters are dropped. */
  close(): void;
}

export interface Delivery<T> {
  readonly letter: T;
  readonly dealtWith: () => void;
}

interface Waiting<T> {
  readonly letter: T;
  readonly settle: (read: boolean) => void;
}

export function openMailbox<T>(): Mailbox<T> {
  const lines = { first: [] as Waiting<T>[], last: [] as Waiting<T>[] };
  let wake: (() => void) | null = null;
  let closed = false;
  return {
    post(letter, line = 'last') {
      if (closed) return Promise.resolve(false);
      return new Promise((settle) => {
        lines[line].push({ letter, settle });
        wake?.();
      });
    },
    async next(signal) {
      for (;;) {
        const waiting = lines.first.shift() ?? lines.last.shift();
        if (waiting) return { letter: waiting.letter, dealtWith: () => waiting.settle(true) };
        if (signal.aborted || closed) return null;
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
        wake = null;
      }
    },
    close() {
      closed = true;
      for (const { settle } of [...lines.first.splice(0), ...lines.last.splice(0)]) settle(false);
      wake?.();
    },
  };
}
