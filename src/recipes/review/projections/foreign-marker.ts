import { uptime } from 'node:os';
import { readActiveMarker } from '../../../door/hooks/active-marker-text.ts';
import { readRegular } from '../../../kit/files/read.ts';
import { readProcessRow } from '../../../process/process-table.ts';

export interface ForeignMarker {
  readonly pid: number;
  /** When it was written, in its own words; null: it does not say. */
  readonly timestamp: string | null;
}

/** Clocks are set, and written down in whole seconds. */
const TOLERANCE_MS = 2_000;

/**
 * Whether another process that still lives says it works here, by a marker at that path; null: nobody does. One that began after the marker was written only
 * has the number of the one that wrote it. Where that cannot be told it counts as the same.
 */
export function foreignMarker(path: string, nowMs: number): ForeignMarker | null {
  const text = readRegular(path);
  if (text === null) return null;
  const { pid, timestamp } = readActiveMarker(text);
  if (pid === null || pid === process.pid) return null;
  const row = readProcessRow(pid);
  if (row === null || row.zombie) return null;
  const beganMs = beganAtMs(row.startTime, nowMs);
  const writtenMs = Date.parse(timestamp ?? '');
  return beganMs > writtenMs + TOLERANCE_MS ? null : { pid, timestamp };
}

/** Linux counts hundredths of a second since it was booted; ps writes a date with underscores. NaN: who knows. */
function beganAtMs(startTime: string, nowMs: number): number {
  if (/^\d+$/.test(startTime)) return nowMs - uptime() * 1000 + Number(startTime) * 10;
  return Date.parse(`${startTime.replaceAll('_', ' ')} UTC`);
}
