import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shellQuote } from '../../src/kit/pure/shell-words.ts';
import { CLI, cleanEnv } from './ralph.ts';
import { skipLoudly } from './skip-loudly.ts';
import { until } from './until.ts';

/** The CLI on a real terminal, which can stop reading, as with Ctrl-S, and go away, as with a closed window. */
export interface Terminal extends Disposable {
  /** The process id of the CLI itself, once it runs. */
  ralphPid(): Promise<number>;
  /** Waits for its end. */
  exitCode(withinMs?: number): Promise<number>;
  screen(): string;
  stopReading(): void;
  readAgain(): void;
  close(): void;
}

/** For `describe.skipIf(terminalIsMissing())`: without `script` CI fails, and anybody else is told in one loud line. */
export function terminalIsMissing(): boolean {
  const { status, error } = spawnSync('script', ['-qec', 'true', '/dev/null'], { stdio: ['ignore', 'ignore', 'ignore'] });
  return skipLoudly(status === 0 ? null : `script(1) of util-linux makes no terminal here (${error?.message ?? `exit code ${status}`})`);
}

/**
 * A shell in between notes beside the work who runs and how it ended, and outlives the terminal. The one above it does not:
 * it leads the session, and only with its death are the others told that the terminal is gone.
 */
export function openTerminal(args: readonly string[], cwd: string, beside: string): Terminal {
  const [pidFile, codeFile] = [join(beside, 'terminal.pid'), join(beside, 'terminal.code')];
  const cli = `echo $$ > ${shellQuote(pidFile)}; exec ${[process.execPath, CLI, ...args].map(shellQuote).join(' ')}`;
  const witness = `trap : HUP; sh -c ${shellQuote(cli)}; echo $? > ${shellQuote(codeFile)}`;
  const command = `sh -c ${shellQuote(witness)}; true`;
  const child = spawn('script', ['-qfc', command, '/dev/null'], { cwd, env: { ...cleanEnv(cwd, { HOME: beside }), SHELL: '/bin/sh' } });
  let screen = '';
  child.stdout.on('data', (chunk) => {
    screen += chunk;
  });
  const ralphPid = async () => {
    await until('the CLI runs', () => numberIn(pidFile) !== null);
    return numberIn(pidFile) ?? 0;
  };
  return {
    ralphPid,
    async exitCode(withinMs = 30_000) {
      await until('the CLI ends', () => numberIn(codeFile) !== null, withinMs);
      return numberIn(codeFile) ?? 0;
    },
    screen: () => screen,
    stopReading: () => child.kill('SIGSTOP'),
    readAgain: () => child.kill('SIGCONT'),
    close: () => child.kill('SIGKILL'),
    [Symbol.dispose]() {
      child.kill('SIGKILL');
      if (numberIn(codeFile) === null) killAnyway(numberIn(pidFile));
    },
  };
}

function numberIn(file: string): number | null {
  try {
    const text = readFileSync(file, 'utf8');
    return /^\d+\n$/.test(text) ? Number(text) : null;
  } catch {
    return null;
  }
}

function killAnyway(pid: number | null): void {
  try {
    if (pid !== null) process.kill(pid, 'SIGKILL');
  } catch {}
}
