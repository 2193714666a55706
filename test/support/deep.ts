import { describe, it } from 'vitest';

/** Set by `npm run test:all`. */
export const isDeep = process.env['RALPH_TEST_ALL'] === '1';

/** Tests that are too slow for every commit: `npm run test:all` runs them; other runs only report that they were skipped, and why. */
export function deep(why: string, tests: () => void): void {
  if (!isDeep) tell(why);
  describe.skipIf(!isDeep)(`deep: ${why}`, tests);
}

/** The same for one test: `deepIt('why')('title', …)`. */
export function deepIt(why: string): (title: string, test: () => unknown, timeoutMs?: number) => void {
  if (!isDeep) tell(why);
  return (title, test, timeoutMs) => it.skipIf(!isDeep)(isDeep ? title : `deep: ${title}`, async () => void (await test()), timeoutMs);
}

/** For `it.each`: all rows in `npm run test:all`, else a sample from the first to the last. */
export function deepRows<Row>(why: string, rows: readonly Row[], kept: number): Row[] {
  if (isDeep || rows.length <= kept) return [...rows];
  tell(`${rows.length - kept} of ${rows.length} rows: ${why}`);
  const step = (rows.length - 1) / Math.max(1, kept - 1);
  const indices = new Set(Array.from({ length: kept }, (_, n) => Math.round(n * step)));
  return rows.filter((_row, index) => indices.has(index));
}

function tell(why: string): void {
  console.warn(`>>> MOVED TO npm run test:all: ${why}`);
}
