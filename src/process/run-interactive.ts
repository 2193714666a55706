import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { whyNotStarted } from './error-line.ts';
import type { ProcessEnding, ProcessRequest } from './process-request.ts';

/** Gives a process our terminal until it ends. It stays in our process group, so that key presses reach it. */
export async function runInteractive(request: Pick<ProcessRequest, 'file' | 'args' | 'cwd' | 'env'>): Promise<InteractiveEnding> {
  try {
    const child = spawn(request.file, [...request.args], { cwd: request.cwd, env: request.env, stdio: 'inherit' });
    if (child.pid === undefined) return whyNotStarted((await once(child, 'error'))[0], request);
    return await attend(child);
  } catch (error) {
    return whyNotStarted(error, request);
  }
}

type InteractiveEnding = Extract<ProcessEnding, { kind: 'exited' | 'signalled' | 'never-started' }>;

/** The terminal sends these to the whole group, so the process gets them itself and we only wait for it. */
const FROM_TERMINAL = ['SIGINT', 'SIGQUIT'] as const;

/** Only we get these, so we pass them on. */
const PASSED_ON = ['SIGTERM', 'SIGHUP'] as const;

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
