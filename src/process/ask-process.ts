import type { ProcessRow } from './process-row.ts';
import { readProcessTable } from './process-table.ts';

/**
 * Who is asked to stop: so many generations below the process, by the eldest child each time, since what is adopted by the same parent later is younger.
 * Null when there is nobody (yet), or when nobody can look.
 */
export function processToAsk(pid: number, depth: number): number | null {
  try {
    const { rows } = readProcessTable();
    let asked: number | null = pid;
    for (let level = 0; level < depth && asked !== null; level += 1) asked = eldestChild(asked, rows);
    return asked;
  } catch {
    return null;
  }
}

function eldestChild(parent: number, rows: readonly ProcessRow[]): number | null {
  const [eldest] = rows.filter((row) => row.ppid === parent && !row.zombie).sort((a, b) => Number(a.startTime) - Number(b.startTime) || a.pid - b.pid);
  return eldest?.pid ?? null;
}
