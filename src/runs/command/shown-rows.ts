import type { TreeRow } from '../manage/run-tree.ts';

export const MOST_TREES = 20;
const AT_WORK: ReadonlySet<string> = new Set(['running', 'unknown']);

/** The newest trees, and every other one in which somebody is at work. */
export function shownRows(rows: readonly TreeRow[]): readonly TreeRow[] {
  const trees: TreeRow[][] = [];
  for (const row of rows) {
    if (row.depth === 0) trees.push([row]);
    else trees.at(-1)?.push(row);
  }
  return trees.filter((tree, index) => index < MOST_TREES || tree.some(({ told }) => AT_WORK.has(told.state))).flat();
}
