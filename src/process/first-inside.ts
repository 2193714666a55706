import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, thisMachine } from './identity.ts';
import type { ProcessIdentity } from './process-request.ts';
import { readProcessRow } from './process-table.ts';
import { sendSignal } from './stop.ts';

/** Where a process that opens a pid namespace tells who is the first in it. 0 to 2 are its own, 3 is for what it may be given to read. */
export const tellingFd = 4;

/** Beyond this it is stuck in the kernel. */
const longestEndingMs = 3_000;
const longestPauseMs = 50;

/** The first process of a pid namespace: nobody leaves that, and when the first is gone the kernel has ended all others in it. */
export interface FirstInside {
  /** Null until it was told. */
  readonly identity: ProcessIdentity | null;
  /** To be called when the process that opened the namespace has ended. True: nothing of it lives; false: nobody can say, so one has to look. */
  isGone(): Promise<boolean>;
}

/** Hears what `child` tells. Whoever is named must be its own child, as a stranger must never be ended, and the first of a namespace by the kernel's word. */
export function hearOfFirst(child: ChildProcess, onTold: (first: ProcessIdentity) => void): FirstInside {
  const told = child.stdio[tellingFd];
  let identity: ProcessIdentity | null = null;
  let text = '';
  told
    ?.on('error', () => {})
    .on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const pid = /"child-pid": (\d+)\D/.exec(text)?.[1];
      const row = pid === undefined || identity !== null ? null : readProcessRow(Number(pid));
      if (row === null || row.ppid !== child.pid || !isFirst(row.pid)) return;
      identity = { ...thisMachine(), pid: row.pid, startTime: row.startTime };
      onTold(identity);
    });
  return {
    get identity() {
      return identity;
    },
    async isGone() {
      told?.destroy();
      return identity !== null && (await end(identity));
    },
  };
}

/** Its numbers from our namespace to its own; where it is the first it is 1. */
function isFirst(pid: number): boolean {
  try {
    return /^NSpid:(?:\t\d+)+\t1$/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}

/** The kernel ends it with the one that opened the namespace, unless that died before it had asked for this. */
async function end(first: ProcessIdentity): Promise<boolean> {
  const untilMs = performance.now() + longestEndingMs;
  for (let pauseMs = 1; isAlive(first); pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    if (performance.now() > untilMs) return false;
    sendSignal(first, 'SIGKILL');
    await sleep(pauseMs);
  }
  return true;
}
