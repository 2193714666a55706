import type { ChildProcess, StdioPipe } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, thisMachine } from './identity.ts';
import type { ProcessIdentity } from './process-request.ts';
import { readProcessRow } from './process-table.ts';
import { sendSignal } from './stop.ts';

interface ExtraInput {
  readonly extraInput?: Uint8Array;
}

/** The usual three streams, the fourth for extra input, the fifth for the report about its namespace. */
export function stdioFor({ extraInput, tells = false }: ExtraInput & { readonly tells?: boolean }): (StdioPipe | 'ignore')[] {
  const usual: StdioPipe[] = ['pipe', 'pipe', 'pipe'];
  if (tells) return [...usual, extraInput === undefined ? 'ignore' : 'pipe', 'pipe'];
  return extraInput === undefined ? usual : [...usual, 'pipe'];
}

/** Writes the extra input of a new process to its descriptor 3. */
export function writeExtraInput(child: ChildProcess, { extraInput }: ExtraInput): void {
  const pipe = child.stdio[3] as Socket | null | undefined;
  if (extraInput === undefined || pipe == null) return;
  // Without destroy the pipe would stay open as long as the process.
  pipe.on('error', () => {}).end(extraInput, () => pipe.destroy());
}

/** The file descriptor on which a process that opens a pid namespace reports the first process in it. 3 is for its extra input. */
export const namespaceReportFd = 4;

/** After this time we assume that it is stuck in the kernel. */
const longestEndingMs = 3_000;
const longestPauseMs = 50;

/** The first process of a pid namespace. No process can leave the namespace, and when the first has ended, the kernel has ended all others. */
export interface FirstInNamespace {
  /** Null until it is reported. */
  readonly identity: ProcessIdentity | null;
  /** Call it when the process that opened the namespace has ended. True if no process inside is left; false if unknown, so the caller has to look. */
  isGone(): Promise<boolean>;
}

/** Reads the report of `child`. The reported process must be its child, because we must never end a foreign process, and the kernel must confirm that it is the first of a namespace. */
export function readFirstInNamespace(child: ChildProcess, onTold: (first: ProcessIdentity) => void): FirstInNamespace {
  const told = child.stdio[namespaceReportFd];
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

/** NSpid lists its pids from our namespace to its own; the first process of a namespace has pid 1 there. */
function isFirst(pid: number): boolean {
  try {
    return /^NSpid:(?:\t\d+)+\t1$/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}

/** The kernel ends it together with the process that opened the namespace, unless that died before it had asked for this. */
async function end(first: ProcessIdentity): Promise<boolean> {
  const untilMs = performance.now() + longestEndingMs;
  for (let pauseMs = 1; isAlive(first); pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    if (performance.now() > untilMs) return false;
    sendSignal(first, 'SIGKILL');
    await sleep(pauseMs);
  }
  return true;
}
