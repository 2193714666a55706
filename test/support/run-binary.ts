import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface BinaryRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  readonly withinMs: number;
}

export interface BinaryEnding {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program without our own process code. Throws with its output if it does not end in time. */
export async function runBinary(request: BinaryRequest): Promise<BinaryEnding> {
  const child = spawn(request.file, request.args, { cwd: request.cwd, env: request.env, detached: true });
  const late = setTimeout(() => killGroup(child.pid), request.withinMs);
  try {
    child.stdin.on('error', () => {}).end(request.stdin);
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    if (child.signalCode !== null) throw new Error(`${request.file} ended by ${child.signalCode}, after ${request.withinMs} ms at most:\n${stdout}\n${stderr}`);
    return { code: child.exitCode, stdout, stderr };
  } finally {
    clearTimeout(late);
  }
}

function killGroup(pid: number | undefined): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL');
}
