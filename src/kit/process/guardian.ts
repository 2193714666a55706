import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { guardianScript } from './guardian-script.ts';
import { psEnvironment } from './process-table-ps.ts';
import type { ProcessWatch } from './process-watch.ts';

/** Outlives us by a moment: when this process vanishes without `close`, it ends all that was watched or carries the run's marker. */
export interface Guardian extends ProcessWatch, AsyncDisposable {
  /** A normal end: it exits at once and touches nothing. */
  close(): Promise<void>;
}

/**
 * One small shell per run, in a session of its own so that no signal to our group reaches it. The pipe to it is closed by the
 * kernel when we die, and no agent inherits it: Node opens its pipes close-on-exec. Throws when there is no shell to run.
 */
export function openGuardian(markerPrefix: string): Guardian {
  if (process.platform === 'win32') return noGuardian;
  const child = spawn('/bin/sh', ['-c', guardianScript, 'ralph-guardian', markerPrefix], {
    cwd: '/',
    env: psEnvironment,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  if (child.pid === undefined) throw new Error('The guardian cannot run: there is no /bin/sh.');
  child.unref();
  (child.stdin as Socket).unref();
  const close = async () => {
    child.ref();
    child.stdin.end('bye\n');
    await exited;
  };
  return {
    watch: ({ pid, startTime }) => void child.stdin.write(`watch ${pid}:${startTime}\n`),
    forget: ({ pid, startTime }) => void child.stdin.write(`forget ${pid}:${startTime}\n`),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const noGuardian: Guardian = { watch() {}, forget() {}, async close() {}, async [Symbol.asyncDispose]() {} };
