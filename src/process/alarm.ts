/** The longest a Node timer can wait; a longer one would fire at once. */
export const longestTimerMs = 2 ** 31 - 1;

/** Rings once when `ms` have passed since the last `restart`. After `cancel` it waits for the next one. */
export interface Alarm extends Disposable {
  restart(): void;
  cancel(): void;
}

/** 0 ms means never. `restart` costs next to nothing, so that it can follow every chunk of output. */
export function openAlarm(ms: number, ring: () => void): Alarm {
  let dueMs: number | null = null;
  let timer: NodeJS.Timeout | null = null;
  let closed = ms <= 0;

  const watch = () => {
    timer = null;
    if (dueMs === null) return;
    const leftMs = dueMs - performance.now();
    if (leftMs > 0) timer = setTimeout(watch, Math.min(Math.ceil(leftMs), longestTimerMs));
    else setImmediate(ringUnlessRestarted, dueMs);
  };
  // Output that came while we were busy still waits in the pipe. It is read before this runs, so this ring means real silence.
  const ringUnlessRestarted = (expectedMs: number) => {
    if (dueMs !== expectedMs) {
      if (timer === null) watch();
      return;
    }
    dueMs = null;
    ring();
  };

  return {
    restart() {
      if (closed) return;
      dueMs = performance.now() + ms;
      if (timer === null) timer = setTimeout(watch, Math.min(ms, longestTimerMs));
    },
    cancel() {
      dueMs = null;
    },
    [Symbol.dispose]() {
      closed = true;
      dueMs = null;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
