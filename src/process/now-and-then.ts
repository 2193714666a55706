const leastPauseMs = 1_000;
const shareOfTime = 1 / 20;

export interface NowAndThen extends Disposable {
  /** Something happened: the work will be done soon, once, however often this is said until then. */
  due(): void;
}

/** Does the work at most once a second, and for at most a twentieth of the time, however dear it is here. */
export function openNowAndThen(work: () => void): NowAndThen {
  let pauseMs = leastPauseMs;
  let timer: NodeJS.Timeout | null = null;
  let closed = false;
  const run = () => {
    timer = null;
    const startMs = performance.now();
    work();
    pauseMs = Math.max(leastPauseMs, (performance.now() - startMs) / shareOfTime);
  };
  return {
    due() {
      if (timer === null && !closed) timer = setTimeout(run, pauseMs);
    },
    [Symbol.dispose]() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
