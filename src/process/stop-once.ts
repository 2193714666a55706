import type { StopCause } from './process-ending.ts';

export interface RecordedCause {
  readonly cause: StopCause;
  readonly detail: string;
}

export interface StopOnce {
  /** The first cause starts the stopping and is kept; later ones change nothing. */
  stop(cause: StopCause, detail: string): void;
  /** From now on it has ended: no cause counts any more. Returns the one it was stopped for, if it was. */
  close(): RecordedCause | null;
}

export function stopOnce(begin: () => void): StopOnce {
  let recorded: RecordedCause | null = null;
  let closed = false;
  return {
    stop(cause, detail) {
      if (closed || recorded !== null) return;
      recorded = { cause, detail };
      begin();
    },
    close() {
      closed = true;
      return recorded;
    },
  };
}
