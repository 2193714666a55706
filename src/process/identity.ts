import { isSameBoot, thisMachine } from './machine.ts';
import type { ProcessIdentity } from './process-request.ts';
import { readProcessRow } from './process-table.ts';

/** `unknown`: it lives, if it does, where we cannot look: on another machine or in another pid namespace. */
export type Liveness = 'alive' | 'dead' | 'unknown';

/** Null when no process has that number. A zombie still has its identity. */
export function identityOf(pid: number): ProcessIdentity | null {
  if (process.platform === 'win32') return { ...thisMachine(), pid, startTime: 'unknown' };
  const row = readProcessRow(pid);
  return row === null ? null : { ...thisMachine(), pid, startTime: row.startTime };
}

export function isAlive(identity: ProcessIdentity): boolean {
  return livenessOf(identity) === 'alive';
}

/** Whether this very process still runs: not another one that was given its number, and not its zombie. */
export function livenessOf(identity: ProcessIdentity): Liveness {
  const here = thisMachine();
  if (!isSameBoot(identity, here)) return identity.host === here.host ? 'dead' : 'unknown';
  if (identity.bootId !== here.bootId) return 'unknown';
  if (process.platform === 'win32') return answersOnWindows(identity.pid) ? 'alive' : 'dead';
  const row = readProcessRow(identity.pid);
  return row !== null && !row.zombie && row.startTime === identity.startTime ? 'alive' : 'dead';
}

/** Windows gives no cheap start time, so a reused number is taken for the same process. Not testable here. */
function answersOnWindows(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
