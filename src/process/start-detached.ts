import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { openFresh } from '../kit/files/write.ts';
import { whyNotStarted } from './error-line.ts';
import { identityOf, thisMachine } from './identity.ts';
import type { ProcessEnding, ProcessIdentity, ProcessRequest } from './process-request.ts';
import { markerVariable } from './process-table.ts';

/** A process that needs nothing from us and may outlive us. */
export interface DetachedRequest extends Pick<ProcessRequest, 'file' | 'args' | 'cwd' | 'env' | 'marker'> {
  /** A new file for its output that only its owner can read. The parent folder exists. */
  readonly logFile: string;
}

export type StartedDetached =
  | {
      readonly kind: 'started';
      readonly identity: ProcessIdentity;
      /** Resolves with its exit code once it has ended and was collected; null if a signal ended it. */
      readonly ended: Promise<number | null>;
    }
  | Extract<ProcessEnding, { kind: 'never-started' }>;

/** Starts it as the leader of its own session, with no input. It does not keep this process alive. */
export async function startDetached(request: DetachedRequest): Promise<StartedDetached> {
  const log = openLog(request.logFile);
  if (typeof log === 'string') return { kind: 'never-started', reason: 'other', message: log };
  try {
    return await start(request, log);
  } catch (error) {
    return whyNotStarted(error, request);
  } finally {
    closeSync(log);
  }
}

/** The file descriptor, or why there is none. */
function openLog(path: string): number | string {
  try {
    return openFresh(path);
  } catch (error) {
    return `The file "${path}" cannot be made: ${(error as Error).message}`;
  }
}

async function start(request: DetachedRequest, log: number): Promise<StartedDetached> {
  const child = spawn(request.file, request.args, {
    cwd: request.cwd,
    env: { ...request.env, [markerVariable]: request.marker },
    detached: process.platform !== 'win32',
    stdio: ['ignore', log, log],
    windowsHide: true,
  });
  if (child.pid === undefined) return whyNotStarted((await once(child, 'error'))[0], request);
  return letGo(child, child.pid);
}

/** While we live we still handle its end, because an uncollected process stays in the process table. */
function letGo(child: ChildProcess, pid: number): StartedDetached {
  child.on('error', () => {});
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.unref();
  return { kind: 'started', identity: identityOf(pid) ?? { ...thisMachine(), pid, startTime: 'unknown' }, ended };
}
