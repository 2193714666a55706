import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import { CLI, cleanEnv } from './ralph.ts';

/** Where a run kills itself: at which line of its journal, by its number or its name, and how much of that line is written. */
export interface Crash {
  readonly at: number | string;
  readonly mode: 'before' | 'after' | 'torn';
  readonly resume?: boolean;
  /** How long it waits there first, so that wrongly started processes show up. */
  readonly heldBackMs?: number;
}

interface Where {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly onStart?: (child: ChildProcess) => void;
}

const DEADLY = new URL('./deadly-preload.mjs', import.meta.url);

/** The built CLI, which kills itself with SIGKILL at one line of its journal. Resolves when it is dead. */
export async function dieAt({ at, mode, heldBackMs = 0 }: Crash, args: readonly string[], { cwd, env, onStart }: Where): Promise<void> {
  const flags = ['--import', `${DEADLY.href}?at=${encodeURIComponent(at)}&mode=${mode}&held=${heldBackMs}`, CLI, ...args];
  const child = spawn(process.execPath, flags, { cwd, env: cleanEnv(cwd, env), stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  onStart?.(child);
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [, signal] = await once(child, 'exit');
  expect(signal, stderr).toBe('SIGKILL');
}
