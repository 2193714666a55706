import { editDistance } from './edit-distance.ts';

/** Longer than any name worth a guess; keeps the table small. */
const longestName = 64;

/** The candidate somebody most likely meant, or null when none is near: at most one slip for every three letters. The earlier of two equals wins. */
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
