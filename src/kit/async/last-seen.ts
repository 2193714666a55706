interface LastSeenOptions<T> {
  readonly look: () => Promise<T>;
  /** Before the first look has ended. */
  readonly first: T;
  readonly everyMs: number;
  readonly onNews?: () => void;
}

/** What a look last saw, and why that is not now: told at once, so that nobody waits for a slow one. One look at a time is under way. */
export function openLastSeen<T>({ look, first, everyMs, onNews }: LastSeenOptions<T>): (nowMs: number) => {
  readonly seen: T;
  readonly trouble: string | null;
} {
  let last: { readonly seen: T; readonly trouble: string | null } = { seen: first, trouble: null };
  let [isLooking, lookedMs] = [false, Number.NEGATIVE_INFINITY];
  const lookAgain = async () => {
    const seen = await look().catch((error: Error) => error);
    last = seen instanceof Error ? { ...last, trouble: seen.message } : { seen, trouble: null };
    isLooking = false;
    onNews?.();
  };
  return (nowMs) => {
    if (!isLooking && nowMs - lookedMs >= everyMs) {
      [isLooking, lookedMs] = [true, nowMs];
      void lookAgain();
    }
    return last;
  };
}
