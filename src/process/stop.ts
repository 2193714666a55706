import { type ChildProcess, spawn } from 'node:child_process';
import { isAlive } from './identity.ts';
import type { ProcessIdentity, ProcessRequest, StopCause } from './process-request.ts';
import { type ProcessRow, readProcessTable } from './process-table.ts';

interface Step {
  readonly signal: NodeJS.Signals;
  readonly to: 'process' | 'group';
  readonly graceMs: number;
}

/** Agents end their own tools on SIGINT and leave them behind on SIGTERM; plain commands expect SIGTERM. With a second before and one for the sweep it is over in nine. */
const steps = {
  interrupt: [
    { signal: 'SIGINT', to: 'process', graceMs: 5_000 },
    { signal: 'SIGTERM', to: 'group', graceMs: 1_000 },
    { signal: 'SIGKILL', to: 'group', graceMs: 3_000 },
  ],
  terminate: [
    { signal: 'SIGTERM', to: 'group', graceMs: 5_000 },
    { signal: 'SIGKILL', to: 'group', graceMs: 3_000 },
  ],
} as const satisfies Record<ProcessRequest['stopWith'], readonly Step[]>;

/**
 * Sends stronger and stronger signals until the process has ended. Resolves when it has, or when even SIGKILL has failed. The caller does the sweep.
 * Wrapper processes do not pass signals on: with `stopDepth` the first signal goes to the process inside, and later ones end the wrapper and all in it.
 */
export async function stopProcess(
  child: ChildProcess,
  { stopWith, stopDepth = 0 }: Pick<ProcessRequest, 'stopWith' | 'stopDepth'>,
  gone: Promise<unknown>,
): Promise<void> {
  for (const [at, step] of steps[stopWith].entries()) {
    if (hasEnded(child)) return;
    if (at > 0 || stopDepth === 0 || !ask(child, stopDepth, step.signal)) send(child, step);
    await firstOf(gone, step.graceMs);
  }
}

/** False if there is no process at that depth. */
function ask(child: ChildProcess, depth: number, signal: NodeJS.Signals): boolean {
  const asked = child.pid === undefined ? null : processToSignal(child.pid, depth);
  if (asked === null) return false;
  try {
    process.kill(asked, signal);
  } catch {
    // It has just ended.
  }
  return true;
}

/** As long as Node has not seen its end, its pid cannot be reused. */
function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function send(child: ChildProcess, { signal, to }: Step): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    killTreeOnWindows(child.pid);
    return;
  }
  try {
    process.kill(to === 'group' ? -child.pid : child.pid, signal);
  } catch {
    // It has just ended, or belongs to another user now; the next step or the sweep handles that.
  }
}

async function firstOf(gone: Promise<unknown>, graceMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const graceOver = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, graceMs);
  });
  await Promise.race([gone, graceOver]);
  clearTimeout(timer);
}

export interface RecordedCause {
  readonly cause: StopCause;
  readonly detail: string;
}

export interface StopOnce {
  /** The first cause starts the stop and is recorded; later ones change nothing. */
  stop(cause: StopCause, detail: string): void;
  /** The process has ended, so no later cause counts. Returns the recorded cause, if any. */
  close(): RecordedCause | null;
}

export function stopOnce(begin: () => void): StopOnce {
  let recorded: RecordedCause | null = null;
  let closed = false;
  return {
    stop(cause, detail) {
      if (closed || recorded !== null) return;
      recorded = { cause, detail };
      begin();
    },
    close() {
      closed = true;
      return recorded;
    },
  };
}

/**
 * The process that gets the first stop signal: `depth` generations below the process, always by the oldest child, because adopted processes are younger.
 * Null if there is none (yet), or if the process table cannot be read.
 */
export function processToSignal(pid: number, depth: number): number | null {
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

/** Windows has neither sessions nor signals: taskkill ends a process and its children at once. Not testable here, never run. */
export function killTreeOnWindows(pid: number): void {
  spawn('taskkill', ['/T', '/F', '/PID', String(pid)], { stdio: 'ignore', windowsHide: true }).on('error', () => {});
}

/** Signals exactly this process, never a foreign process with a reused pid. */
export function sendSignal(identity: ProcessIdentity, signal: NodeJS.Signals): 'sent' | 'gone' | 'not ours' {
  if (!isAlive(identity)) return 'gone';
  try {
    process.kill(identity.pid, signal);
    return 'sent';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH' ? 'gone' : 'not ours';
  }
}
