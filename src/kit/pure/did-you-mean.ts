/** Names longer than this are not guessed, which keeps the table small. */
const longestName = 64;

/** The candidate that was most likely meant, with at most one typo per three letters; null if there is none. The earlier of two equals wins. */
export function didYouMean(word: string, candidates: readonly string[]): string | null {
  if (word.length > longestName) return null;
  const allowed = Math.max(1, Math.floor(word.length / 3));
  let best: string | null = null;
  let bestSlips = allowed + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestSlips) continue;
    const slips = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (slips < bestSlips) [best, bestSlips] = [candidate, slips];
  }
  return best;
}

/** The number of letters added, left out, changed, or swapped with their neighbour (optimal string alignment). */
export function editDistance(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const changed = at(last, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const swapped = isSwap(from, to, row, column) ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY;
      current.push(Math.min(at(last, column) + 1, at(current, column - 1) + 1, changed, swapped));
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, to.length);
}

const isSwap = (from: string, to: string, row: number, column: number) =>
  row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];

const at = (row: readonly number[], index: number) => row[index] ?? Number.POSITIVE_INFINITY;
