import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { stdioFor, writeExtraInput } from './extra-streams.ts';
import { identityOf } from './identity.ts';
import { markerVariable } from './process-table.ts';
import { killTreeOnWindows } from './stop.ts';
import { openRelatedProcesses, sweep } from './sweep.ts';

/** A short command whose whole output we want. */
export interface CaptureRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** After this time the command and its process group are killed. */
  readonly timeoutMs: number;
  /** For a command that may run foreign code: all processes with this marker, or in its session, are ended with the command. */
  readonly marker?: string;
  /** Its input at file descriptor 3. */
  readonly extraInput?: Uint8Array;
  /** Its standard input; absent: none. */
  readonly input?: string;
  /** An abort kills the command and its process group. */
  readonly signal?: AbortSignal;
}

export interface Captured {
  /** Null if it never started, was killed, or printed too much. */
  readonly code: number | null;
  readonly started: boolean;
  readonly stdout: string;
  /** Its standard error; our own message if it never started or was killed. */
  readonly stderr: string;
}

const MAX_BYTES = 64 * 1024 * 1024;
/** Even SIGKILL does not end a process that is stuck in the kernel, so we stop waiting. */
const KILLED_WITHIN_MS = 5_000;
/** When the command has ended, its output is in the pipes. We do not wait for an escaped process that still holds them. */
const DRAINED_WITHIN_MS = 5_000;

/** Runs a command to its end, in its own session. Never rejects: errors are in `code` and `stderr`. */
export async function capture(request: CaptureRequest): Promise<Captured> {
  try {
    const child = start(request);
    if (child.pid === undefined) return neverStarted((await once(child, 'error'))[0]);
    return await attend(child, child.pid, request);
  } catch (error) {
    return neverStarted(error);
  }
}

function start({ file, args, cwd, env, marker, input, ...rest }: CaptureRequest): ChildProcess {
  const [, ...pipes] = stdioFor(rest);
  const child = spawn(file, [...args], {
    cwd,
    env: marker === undefined ? env : { ...env, [markerVariable]: marker },
    stdio: [input === undefined ? 'ignore' : 'pipe', ...pipes],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  writeExtraInput(child, rest);
  // A command may end without having read its input.
  child.stdin?.on('error', () => {}).end(input);
  return child;
}

async function attend(child: ChildProcess, pid: number, { timeoutMs, marker, signal }: CaptureRequest): Promise<Captured> {
  const identity = marker === undefined ? null : identityOf(pid);
  const closed = once(child, 'close').catch(() => undefined);
  let killedFor: string | null = null;
  const kill = (reason: string) => {
    killedFor ??= reason;
    killGroup(pid);
  };
  const output = collect(child, () => kill(`it printed more than ${MAX_BYTES} bytes`));
  const onAbort = () => kill('it was stopped');
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  const code = await exitOf(child, timeoutMs, () => kill(`it took longer than ${timeoutMs / 1000} s`));
  signal?.removeEventListener('abort', onAbort);
  if (identity) {
    const kin = openRelatedProcesses({ known: [identity], session: identity, isOurMarker: (found) => found === marker });
    await sweep(kin).catch(() => undefined);
  }
  await within(DRAINED_WITHIN_MS, closed);
  for (const pipe of [child.stdout, child.stderr]) pipe?.destroy();
  if (killedFor !== null) return { code: null, started: true, stdout: output.stdout(), stderr: killedFor };
  return { code, started: true, stdout: output.stdout(), stderr: output.stderr() };
}

function collect(child: ChildProcess, onTooMuch: () => void): { stdout(): string; stderr(): string } {
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  let bytes = 0;
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) onTooMuch();
      else chunks[name].push(chunk);
    });
  }
  return { stdout: () => Buffer.concat(chunks.stdout).toString(), stderr: () => Buffer.concat(chunks.stderr).toString() };
}

async function exitOf(child: ChildProcess, timeoutMs: number, onTimeout: () => void): Promise<number | null> {
  const exit = once(child, 'exit').then(([code]) => code as number | null);
  const early = await within(timeoutMs, exit);
  if (early !== 'too late') return early;
  onTimeout();
  const late = await within(KILLED_WITHIN_MS, exit);
  return late === 'too late' ? null : late;
}

async function within<T>(ms: number, work: Promise<T>): Promise<T | 'too late'> {
  const timer = new AbortController();
  try {
    return await Promise.race([work, sleep(ms, 'too late' as const, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}

function killGroup(pid: number): void {
  try {
    if (process.platform === 'win32') killTreeOnWindows(pid);
    else process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

function neverStarted(error: unknown): Captured {
  return { code: null, started: false, stdout: '', stderr: error instanceof Error ? error.message : String(error) };
}
