import type { RunWithStatus } from './find-run.ts';

/** A run with its depth below its ancestors. */
export interface TreeRow {
  readonly told: RunWithStatus;
  readonly depth: number;
  /** The last child of its parent among those shown. */
  readonly isLast: boolean;
}

/**
 * Parents before their children, in the given order. A run whose parent is missing is at the top level, and so is the first run of a cycle
 * of parents.
 */
export function runTree(runs: readonly RunWithStatus[]): readonly TreeRow[] {
  const byParent = childrenByParent(runs);
  const ids = new Set(runs.map(({ sight }) => sight.run));
  const rows: TreeRow[] = [];
  const placed = new Set<RunWithStatus>();
  const isRoot = (entry: RunWithStatus) => entry.parent === null || !ids.has(entry.parent);
  for (const root of [...runs.filter(isRoot), ...runs]) {
    const open: TreeRow[] = [{ told: root, depth: 0, isLast: true }];
    for (let row = open.pop(); row !== undefined; row = open.pop()) {
      if (placed.has(row.told)) continue;
      placed.add(row.told);
      rows.push(row);
      const { depth } = row;
      const children = (byParent.get(row.told.sight.run) ?? []).filter((child) => !placed.has(child));
      for (const [index, told] of [...children].reverse().entries()) open.push({ told, depth: depth + 1, isLast: index === 0 });
    }
  }
  return rows;
}

function childrenByParent(runs: readonly RunWithStatus[]): ReadonlyMap<string, readonly RunWithStatus[]> {
  const byParent = new Map<string, RunWithStatus[]>();
  for (const told of runs) {
    if (told.parent === null) continue;
    const siblings = byParent.get(told.parent);
    if (siblings) siblings.push(told);
    else byParent.set(told.parent, [told]);
  }
  return byParent;
}
