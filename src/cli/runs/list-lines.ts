import { printable } from '../../kit/pure/printable.ts';
import type { TreeRow } from '../../wiring/runs/run-tree.ts';
import { clockTime } from '../render/clock-time.ts';
import { standingText } from './standing-text.ts';
import { tableLines } from './table-lines.ts';

const HEAD = ['RUN', 'RECIPE', 'STATE', 'STARTED', 'TASK'] as const;

/** Deeper ones stand below each other: nobody nests that far on purpose. */
const DEEPEST = 8;

/** A table for people, children below the run that asked for them. */
export function listLines(rows: readonly TreeRow[], leftOut: number, nowMs: number): readonly string[] {
  if (rows.length === 0) return ['There is no run here.'];
  const more = leftOut === 0 ? [] : [`and ${leftOut} more: ralph runs list --all`];
  return [...tableLines([HEAD, ...rows.map((row) => cells(row, nowMs))]), ...more];
}

function cells({ told, depth, isLast }: TreeRow, nowMs: number): readonly string[] {
  const { sight } = told;
  const name = `${branch(depth, isLast)}${printable(sight.run)}`;
  if (sight.kind === 'unreadable') return [name, '-', standingText(told), '-', printable(sight.why)];
  const place = sight.task === null ? '' : `${sight.task.project}/${sight.task.task}`;
  return [name, printable(sight.recipe), standingText(told), clockTime(sight.startedAtMs, nowMs), printable(place)];
}

function branch(depth: number, isLast: boolean): string {
  return depth === 0 ? '' : `${'  '.repeat(Math.min(depth, DEEPEST) - 1)}${isLast ? '└─' : '├─'}`;
}
