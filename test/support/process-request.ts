import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ProcessRequest } from '../../src/process/process-request.ts';

const agents = join(import.meta.dirname, '../fixtures/agents');

/** The command that runs a fixture agent. */
export function agentCommand(name: string, ...args: readonly (string | number)[]): Pick<ProcessRequest, 'file' | 'args'> {
  return { file: process.execPath, args: [join(agents, `${name}.mjs`), ...args.map(String)] };
}

/** Watches nothing. */
export const nobody = { watch() {}, forget() {}, reportLeft() {} };

/** A request without any limit, spooling into the folder, with a marker of its own. */
export function requestIn(folder: string, rest: Partial<ProcessRequest>): ProcessRequest {
  const id = randomUUID();
  return {
    file: 'true',
    args: [],
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
    stdin: '',
    marker: `${id}/1.1`,
    stdoutFile: join(folder, `${id}.out`),
    stderrFile: join(folder, `${id}.err`),
    idleMs: 0,
    deadlineMs: 0,
    maxOutputBytes: 0,
    lingerMs: 0,
    stopWith: 'interrupt',
    guardian: nobody,
    onSpawned: () => {},
    onLine: () => {},
    settled: () => false,
    ...rest,
  };
}

/** A signal that is never aborted. */
export const never = new AbortController().signal;
