import { uptime } from 'node:os';
import { readActiveMarker } from '../../../door/hooks/active-marker-text.ts';
import { readRegular } from '../../../kit/files/read.ts';
import { readProcessRow } from '../../../process/process-table.ts';

export interface ForeignMarker {
  readonly pid: number;
  /** When it was written, by its own account; null when it does not say. */
  readonly timestamp: string | null;
}

/** Clocks are adjusted, and markers have whole seconds. */
const TOLERANCE_MS = 2_000;

/**
 * Whether a marker at that path says that another live process works here; null: none does. A process that began after the marker was written only
 * reuses the pid of its author. When the start time is unknown, it counts as the author.
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

/** Linux counts hundredths of a second since boot; ps prints a date with underscores. NaN when unknown. */
function beganAtMs(startTime: string, nowMs: number): number {
  if (/^\d+$/.test(startTime)) return nowMs - uptime() * 1000 + Number(startTime) * 10;
  return Date.parse(`${startTime.replaceAll('_', ' ')} UTC`);
}
