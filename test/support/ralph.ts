import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runHosted } from './hosted-ralph.ts';

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

/** A variable of a stage: a module that a command loads first which is a process. */
export const PRELOAD = 'RALPH_TEST_PRELOAD';

/** Starts the CLI in its own session. It is killed at the time limit; the code is then null. */
export function startRalph(args: readonly string[], { cwd, env = {}, stdin = '', withinMs = 200_000 }: Where): RunningRalph {
  const startedMs = performance.now();
  const { [PRELOAD]: preload, ...own } = env;
  const flags = preload === undefined ? [] : ['--import', preload];
  const child = spawn(process.execPath, [...flags, CLI, ...args], { cwd, env: cleanEnv(cwd, own), stdio: ['pipe', 'pipe', 'pipe'], detached: true });
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

/** Runs one command to its end, in the process that commands share unless `whyReal` gives a reason, because starting Node costs more than most commands. */
export async function ralph(args: readonly string[], where: Where): Promise<RalphRun> {
  if (whyReal(args, where) !== null) return await startRalph(args, where).ended;
  const { cwd, env = {}, stdin = '', withinMs = 200_000 } = where;
  const startedMs = performance.now();
  const ended = await runHosted({ args, cwd, env: cleanEnv(cwd, env), stdin, withinMs });
  return { ...ended, signal: null, ms: performance.now() - startedMs };
}

/** Read by Node itself when it starts. */
const OF_NODE = ['TMPDIR', 'TZ', 'NODE_OPTIONS'];
/** What the bin answers before it loads the program. */
const OF_THE_BIN = ['--version', '-v', '--help', '-h', 'hook'];

/** Why this command needs a separate process. */
function whyReal([first = '']: readonly string[], { cwd, env = {} }: Where): string | null {
  if (OF_THE_BIN.includes(first)) return 'the bin itself answers';
  if (OF_NODE.some((name) => name in env)) return 'Node reads a variable of it';
  return existsSync(cwd) ? null : 'its folder is gone';
}

/** The environment of a command in a test. Without a sandbox; tests about the sandbox ask for it. */
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
