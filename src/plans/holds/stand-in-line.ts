/** The ends of the lines, by what they are for and by name. */
const lines = new WeakMap<object, Map<string, Promise<void>>>();

/** First come, first served, within this process. Resolves with what lets the next one go, or with null when the signal was faster. */
export async function standInLine(forWhat: object, name: string, signal: AbortSignal): Promise<(() => void) | null> {
  const ends = lines.get(forWhat) ?? new Map<string, Promise<void>>();
  lines.set(forWhat, ends);
  const before = ends.get(name) ?? Promise.resolve();
  let leave = () => {};
  const mine = new Promise<void>((resolve) => {
    leave = resolve;
  });
  ends.set(
    name,
    before.then(() => mine),
  );
  await firstOf(before, signal);
  if (!signal.aborted) return leave;
  leave();
  return null;
}

/** Leaves nothing on a signal that lives longer than the wait. */
async function firstOf(turn: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  let stop = () => {};
  const aborted = new Promise<void>((resolve) => {
    stop = resolve;
  });
  signal.addEventListener('abort', stop, { once: true });
  await Promise.race([turn, aborted]);
  signal.removeEventListener('abort', stop);
}
