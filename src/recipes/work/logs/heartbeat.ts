import { join } from 'node:path';
import { readRegular } from '../../../kit/files/read-regular.ts';

export interface Heartbeat {
  readonly file: string;
  /** As it is written; null when there is none that can be read. */
  readonly at: string | null;
  readonly age_ms: number | null;
}

/** When a loop that logs there last said that it lives (seed 000). */
export function readHeartbeat(folder: string, nowMs: number): Heartbeat {
  const file = join(folder, 'ralph.heartbeat');
  const at = readRegular(file)?.slice(0, 64).trim() ?? '';
  const atMs = Date.parse(at);
  return Number.isNaN(atMs) ? { file, at: null, age_ms: null } : { file, at, age_ms: Math.max(0, nowMs - atMs) };
}

/** None at all is as bad as an old one. */
export function isStale({ age_ms }: Heartbeat, afterMs: number): boolean {
  return age_ms === null || age_ms > afterMs;
}
