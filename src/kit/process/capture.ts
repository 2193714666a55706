import { execFile } from 'node:child_process';

/** A short command of our own whose whole output we want. */
export interface CaptureRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export interface Captured {
  /** Null when it could not be started or was ended by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** Runs it to its end with no input. Never rejects: what went wrong is in `code` and `stderr`. */
export function capture({ file, args, cwd, env, timeoutMs }: CaptureRequest): Promise<Captured> {
  return new Promise((resolve) => {
    const child = execFile(file, [...args], { cwd, env, timeout: timeoutMs, maxBuffer: MAX_BYTES, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
      if (!error) return resolve({ code: 0, stdout, stderr });
      resolve({ code: typeof error.code === 'number' ? error.code : null, stdout, stderr: stderr || error.message });
    });
    child.stdin?.end();
  });
}
