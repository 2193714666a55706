import type { ChildProcess } from 'node:child_process';
import { processToAsk } from './ask-process.ts';
import { killTreeOnWindows } from './kill-tree-windows.ts';
import type { ProcessRequest } from './process-request.ts';

interface Step {
  readonly signal: NodeJS.Signals;
  readonly to: 'process' | 'group';
  readonly graceMs: number;
}

/** Agents end their own tools on SIGINT and leave them behind on SIGTERM; plain commands expect SIGTERM. */
const steps = {
  interrupt: [
    { signal: 'SIGINT', to: 'process', graceMs: 5_000 },
    { signal: 'SIGTERM', to: 'group', graceMs: 2_000 },
    { signal: 'SIGKILL', to: 'group', graceMs: 3_000 },
  ],
  terminate: [
    { signal: 'SIGTERM', to: 'group', graceMs: 5_000 },
    { signal: 'SIGKILL', to: 'group', graceMs: 3_000 },
  ],
} as const satisfies Record<ProcessRequest['stopWith'], readonly Step[]>;

/**
 * Asks ever louder until the process is gone. Resolves when it is, or when not even SIGKILL has reached it. The sweep is the caller's.
 * What is wrapped around a process passes no signal on: with `askDepth` the first goes to the one inside, and the later ones end the wrapping and all in it.
 */
export async function stopProcess(
  child: ChildProcess,
  { stopWith, askDepth = 0 }: Pick<ProcessRequest, 'stopWith' | 'askDepth'>,
  gone: Promise<unknown>,
): Promise<void> {
  for (const [at, step] of steps[stopWith].entries()) {
    if (hasEnded(child)) return;
    if (at > 0 || askDepth === 0 || !ask(child, askDepth, step.signal)) send(child, step);
    await firstOf(gone, step.graceMs);
  }
}

/** False when nobody is found at that depth. */
function ask(child: ChildProcess, depth: number, signal: NodeJS.Signals): boolean {
  const asked = child.pid === undefined ? null : processToAsk(child.pid, depth);
  if (asked === null) return false;
  try {
    process.kill(asked, signal);
  } catch {
    // It has just ended.
  }
  return true;
}

/** As long as Node has not seen it end, its number cannot have been given to another. */
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
    // It has just ended, or has become another user's: the next step or the sweep sees.
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
