/** The first and the last entries of a list of any length. */
export interface BoundedList<T> {
  readonly first: readonly T[];
  readonly last: readonly T[];
  /** How many between them were left out. */
  readonly leftOut: number;
}

const MOST_FIRST = 100;
const MOST_LAST = 400;

interface GrowingList<T> {
  add(entry: T): void;
  list(): BoundedList<T>;
}

/** Keeps memory bounded for a journal of any length. */
export function boundedList<T>(): GrowingList<T> {
  const first: T[] = [];
  const last: T[] = [];
  let count = 0;
  return {
    add(entry) {
      count += 1;
      if (first.length < MOST_FIRST) return void first.push(entry);
      last.push(entry);
      if (last.length > 2 * MOST_LAST) last.splice(0, last.length - MOST_LAST);
    },
    list() {
      const shown = last.slice(-MOST_LAST);
      return { first: [...first], last: shown, leftOut: count - first.length - shown.length };
    },
  };
}
