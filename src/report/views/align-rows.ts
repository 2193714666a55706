import { columns } from '../console/look.ts';

/** Aligns rows; the first row is the heading. */
export function alignRows(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => columns(cells[column] ?? ''))));
  const padded = (cell: string, column: number) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - columns(cell)));
  return rows.map((cells) => cells.map(padded).join('  ').trimEnd());
}
