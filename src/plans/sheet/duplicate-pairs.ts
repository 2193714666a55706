import { UNUSUAL } from './quick-scan.ts';
import type { SheetPair } from './sheet.ts';

/** The pairs whose key an earlier pair has. */
export function duplicatePairs(pairs: readonly SheetPair[]): readonly SheetPair[] {
  if (pairs.length <= FEW && !pairs.some(({ key }, nth) => isBefore(pairs, key, nth))) return [];
  const keys = new Set<string>();
  return pairs.filter(({ key }) => keys.size === keys.add(key).size);
}

/** Up to this many are compared faster than a set is made, and nearly all maps have no more. */
const FEW = 16;

function isBefore(pairs: readonly SheetPair[], key: string, end: number): boolean {
  for (let nth = 0; nth < end; nth += 1) if (pairs[nth]?.key === key) return true;
  return false;
}

export function refuseTwice(pairs: readonly SheetPair[]): void {
  if (duplicatePairs(pairs).length > 0) throw UNUSUAL;
}
