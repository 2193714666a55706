import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { markerVariable } from './marker.ts';
import type { ProcessEnding } from './process-ending.ts';
import type { ProcessRequest } from './process-request.ts';
import { whyNotStarted } from './why-not-started.ts';

export type Started =
  | { readonly kind: 'started'; readonly child: ChildProcessWithoutNullStreams; readonly pid: number }
  | Extract<ProcessEnding, { kind: 'never-started' }>;

/** Starts it as the leader of a session of its own. Node reports some failures by an event and throws others: both are data here. */
export async function startProcess(request: ProcessRequest): Promise<Started> {
  try {
    const child = spawn(request.file, request.args, {
      cwd: request.cwd,
      env: { ...request.env, [markerVariable]: request.marker },
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    if (child.pid === undefined) return whyNotStarted((await once(child, 'error'))[0], request);
    child.on('error', () => {});
    return { kind: 'started', child, pid: child.pid };
  } catch (error) {
    return whyNotStarted(error, request);
  }
}
