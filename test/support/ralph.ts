import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The built CLI: `npm test` builds before it tests. */
export const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface RalphRun {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export interface RunningRalph {
  readonly child: ChildProcess;
  /** Everything on stderr so far. */
  readonly stderr: () => string;
  readonly ended: Promise<RalphRun>;
}

interface Where {
  readonly cwd: string;
  /** Added to a clean environment: PATH, a HOME and nothing of the machine's own. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly withinMs?: number;
}

/** Starts the CLI in a session of its own. It is killed if it is not over within the bound, and the code is then null. */
export function startRalph(args: readonly string[], { cwd, env = {}, stdin = '', withinMs = 60_000 }: Where): RunningRalph {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [CLI, ...args], { cwd, env: cleanEnv(cwd, env), stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const bound = setTimeout(() => child.kill('SIGKILL'), withinMs);
  const ended = new Promise<RalphRun>((resolve) => {
    child.on('close', (code, signal) => {
      clearTimeout(bound);
      resolve({ code, signal, stdout, stderr, ms: performance.now() - startedMs });
    });
  });
  return { child, stderr: () => stderr, ended };
}

export function ralph(args: readonly string[], where: Where): Promise<RalphRun> {
  return startRalph(args, where).ended;
}

/** What a command of ours may see in a test. Without a sandbox: those that are about one ask for it. */
export function cleanEnv(cwd: string, env: Readonly<Record<string, string>>): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: cwd,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    LANG: 'C.UTF-8',
    RALPH_SANDBOX: 'guard',
    ...env,
  };
}
