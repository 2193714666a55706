import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shellQuote } from '../../src/kit/pure/shell-words.ts';
import { CLI, cleanEnv } from './ralph.ts';
import { until } from './until.ts';

/** The CLI on a real terminal with typed input. */
export interface Pty extends AsyncDisposable {
  /** Types without waiting for anything. */
  type(keys: string): void;
  /** Waits until the screen ends with this text. */
  asks(prompt: string): Promise<void>;
  /** Waits for the question, then types the answer and presses Enter. */
  answer(prompt: string, line: string): Promise<void>;
  /** The process id of the CLI itself. */
  pid(): number;
  /** Waits for its end, and kills it if it takes longer. */
  exitCode(withinMs?: number): Promise<number | null>;
  /** What was written so far, with plain line ends and without the sequences that only move the cursor or colour. */
  screen(): string;
  /** What was written so far, byte for byte. */
  written(): string;
  /** Gives the terminal another size, as a window does when somebody drags its corner. */
  resize(columns: number, rows: number): void;
}

interface Where {
  readonly cwd: string;
  /** A folder for what does not belong to the work. */
  readonly beside: string;
  /** For the CLI alone. */
  readonly env?: Readonly<Record<string, string>>;
  /** Of the terminal; 0 is what some containers have. */
  readonly columns?: number;
  readonly rows?: number;
  /** Put behind the command, such as `> file`. */
  readonly redirect?: string;
}

export const CTRL_C = '\u0003';
export const CTRL_D = '\u0004';

/** By script(1): ask `terminalIsMissing` first. */
export function openPty(args: readonly string[], { cwd, beside, env = {}, columns = 200, rows = 24, redirect = '' }: Where): Pty {
  const pidFile = join(beside, 'pty.pid');
  const cli = [process.execPath, CLI, ...args].map(shellQuote).join(' ');
  const exports = Object.entries(env).map(([name, value]) => `export ${name}=${shellQuote(value)}; `);
  const ttyFile = join(beside, 'pty.tty');
  const command = `stty cols ${columns} rows ${rows}; tty > ${shellQuote(ttyFile)}; echo $$ > ${shellQuote(pidFile)}; ${exports.join('')}exec ${cli} ${redirect}`;
  const child = spawn('script', ['-qfec', command, '/dev/null'], { cwd, env: cleanEnv(cwd, { HOME: beside, SHELL: '/bin/sh' }) });
  const ended = once(child, 'close');
  let written = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    written += chunk;
  });
  child.stdin.on('error', () => undefined);
  const screen = () => plainScreen(written);
  const type = (keys: string) => void child.stdin.write(keys);
  const asks = async (prompt: string) => {
    await until(`the question "${prompt}"`, () => screen().endsWith(prompt)).catch((cause) => {
      throw new Error(`${cause.message}. The screen:\n${screen()}`, { cause });
    });
  };
  return {
    type,
    asks,
    async answer(prompt, line) {
      await asks(prompt);
      type(`${line}\r`);
    },
    pid: () => Number(readFileSync(pidFile, 'utf8')),
    async exitCode(withinMs = 30_000) {
      const late = setTimeout(() => child.kill('SIGKILL'), withinMs);
      await ended;
      clearTimeout(late);
      return child.exitCode;
    },
    screen,
    written: () => written,
    resize: (wide, high) => void execFileSync('stty', ['-F', readFileSync(ttyFile, 'utf8').trim(), 'cols', `${wide}`, 'rows', `${high}`]),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Only what a reader sees, as long as nothing was edited on the screen. */
function plainScreen(written: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
  return written.replaceAll(/\u001b\[[0-9;]*[A-Za-z]/g, '').replaceAll(/\r+\n/g, '\n');
}
