import { columns } from '../console/look.ts';

/** `5m0s`, `1h0m0s`, `50ms`: with the smaller units even where they are zero, as seed 002 writes it. */
export function longDuration(ms: number): string {
  if (ms > 0 && ms < 1000) return `${Math.max(1, Math.floor(ms))}ms`;
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours}h${minutes}m${seconds % 60}s`;
  return minutes > 0 ? `${minutes}m${seconds % 60}s` : `${seconds}s`;
}

/** Rows under each other, the first of them the heading. */
export function tableLines(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => columns(cells[column] ?? ''))));
  const padded = (cell: string, column: number) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - columns(cell)));
  return rows.map((cells) => cells.map(padded).join('  ').trimEnd());
}
