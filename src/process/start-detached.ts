import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { openFresh } from '../kit/files/write.ts';
import { whyNotStarted } from './complaint.ts';
import { identityOf } from './identity.ts';
import { thisMachine } from './machine.ts';
import { markerVariable } from './marker.ts';
import type { ProcessRequest } from './process-request.ts';
import type { ProcessEnding, ProcessIdentity } from './stop-reasons.ts';

/** A process that goes its own way: it needs nothing of us, and may outlive us. */
export interface DetachedRequest extends Pick<ProcessRequest, 'file' | 'args' | 'cwd' | 'env' | 'marker'> {
  /** All it prints goes here, into a new file that nobody else can read. The parent folder exists. */
  readonly logFile: string;
}

export type StartedDetached =
  | {
      readonly kind: 'started';
      readonly identity: ProcessIdentity;
      /** Resolves once it has ended and was collected, with its exit code; null when a signal ended it. */
      readonly ended: Promise<number | null>;
    }
  | Extract<ProcessEnding, { kind: 'never-started' }>;

/** Starts it as the leader of a session of its own, with no input. It does not keep this process from ending. */
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

/** The descriptor, or why there is none. */
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

/** Its end is heard all the same while we live: whoever is not collected stays in the process table. */
function letGo(child: ChildProcess, pid: number): StartedDetached {
  child.on('error', () => {});
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.unref();
  return { kind: 'started', identity: identityOf(pid) ?? { ...thisMachine(), pid, startTime: 'unknown' }, ended };
}

type InteractiveEnding = Extract<ProcessEnding, { kind: 'exited' | 'signalled' | 'never-started' }>;

/** The terminal sends these to the whole group: the process has them already, and we wait for what it makes of them. */
const FROM_TERMINAL = ['SIGINT', 'SIGQUIT'] as const;
/** Those come to us alone. */
const PASSED_ON = ['SIGTERM', 'SIGHUP'] as const;

/** Lets a process have our terminal until it ends. It stays in our group, so that the keys somebody presses reach it. */
export async function runInteractive(request: Pick<ProcessRequest, 'file' | 'args' | 'cwd' | 'env'>): Promise<InteractiveEnding> {
  try {
    const child = spawn(request.file, [...request.args], { cwd: request.cwd, env: request.env, stdio: 'inherit' });
    if (child.pid === undefined) return whyNotStarted((await once(child, 'error'))[0], request);
    return await attend(child);
  } catch (error) {
    return whyNotStarted(error, request);
  }
}

async function attend(child: ChildProcess): Promise<InteractiveEnding> {
  const ignore = () => undefined;
  const passOn = (name: NodeJS.Signals) => void child.kill(name);
  for (const name of FROM_TERMINAL) process.on(name, ignore);
  for (const name of PASSED_ON) process.on(name, passOn);
  child.on('error', ignore);
  try {
    return await new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'signalled', signal }));
    });
  } finally {
    for (const name of FROM_TERMINAL) process.off(name, ignore);
    for (const name of PASSED_ON) process.off(name, passOn);
  }
}
