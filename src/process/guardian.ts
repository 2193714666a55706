import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { guardianScript } from './guardian-script.ts';
import { psEnvironment } from './process-table-ps.ts';
import type { Watchman } from './process-watch.ts';

/** Outlives us by a moment: when this process vanishes without `close`, it ends all that was watched or carries the run's marker. */
export interface Guardian extends Watchman, AsyncDisposable {
  /** A normal end: it exits at once and touches nothing. */
  close(): Promise<void>;
}

/** Whoever kills it again and again means it, or the machine cannot carry it. */
const mostSuccessors = 5;

/** One small shell per run; killed, it is replaced by one that is told all that is watched. Throws when there is no shell to run. */
export function openGuardian(markerPrefix: string): Guardian {
  if (process.platform === 'win32') return noGuardian;
  const watched = new Set<string>();
  let closed = false;
  let successors = 0;

  const replace = () => {
    if (closed || successors === mostSuccessors) return;
    successors += 1;
    const next = startShell(markerPrefix, replace);
    if (next === null) return;
    shell = next;
    for (const who of watched) shell.say(`watch ${who}`);
  };
  const first = startShell(markerPrefix, replace);
  if (first === null) throw new Error('The guardian cannot run: there is no /bin/sh.');
  let shell = first;

  const close = async () => {
    closed = true;
    await shell.dismiss();
  };
  return {
    watch({ pid, startTime }) {
      watched.add(`${pid}:${startTime}`);
      shell.say(`watch ${pid}:${startTime}`);
    },
    forget({ pid, startTime }) {
      watched.delete(`${pid}:${startTime}`);
      shell.say(`forget ${pid}:${startTime}`);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface GuardianShell {
  say(words: string): void;
  /** Resolves when it is gone. */
  dismiss(): Promise<void>;
}

/**
 * In a session of its own, so that no signal to our group reaches it. The pipe to it is closed by the kernel when we die, and no
 * agent inherits it: Node opens its pipes close-on-exec. Null when it cannot be started.
 */
function startShell(markerPrefix: string, onExit: () => void): GuardianShell | null {
  const child = spawn('/bin/sh', ['-c', guardianScript, 'ralph-guardian', markerPrefix], {
    cwd: '/',
    env: psEnvironment,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.on('error', () => {});
  if (child.pid === undefined) return null;
  child.stdin.on('error', () => {});
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.once('exit', onExit);
  child.unref();
  (child.stdin as Socket).unref();
  return {
    say: (words) => void child.stdin.write(`${words}\n`),
    async dismiss() {
      child.ref();
      child.stdin.end('bye\n');
      await exited;
    },
  };
}

const noGuardian: Guardian = { watch() {}, forget() {}, async close() {}, async [Symbol.asyncDispose]() {} };
