/** What reaches the loop from outside: facts, reports, watchers' news. One reader; any number of writers; order kept. */
export interface Mailbox<T> {
  /** Resolves once the reader has dealt with the letter, or the box is closed. */
  post(letter: T): Promise<void>;
  /** The next letter, or null when the signal aborts first. */
  next(signal: AbortSignal): Promise<Delivery<T> | null>;
  /** Lets every waiting writer go; later letters are dropped. */
  close(): void;
}

export interface Delivery<T> {
  readonly letter: T;
  readonly dealtWith: () => void;
}

export function openMailbox<T>(): Mailbox<T> {
  const waiting: Delivery<T>[] = [];
  let wake: (() => void) | null = null;
  let closed = false;
  return {
    post(letter) {
      if (closed) return Promise.resolve();
      return new Promise((resolve) => {
        waiting.push({ letter, dealtWith: resolve });
        wake?.();
      });
    },
    async next(signal) {
      while (waiting.length === 0) {
        if (signal.aborted || closed) return null;
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
        wake = null;
      }
      return waiting.shift() ?? null;
    },
    close() {
      closed = true;
      for (const { dealtWith } of waiting.splice(0)) dealtWith();
      wake?.();
    },
  };
}
