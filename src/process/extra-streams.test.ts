import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../test/support/bubblewrap.ts';
import { isRunning, runningWithCommand } from '../../test/support/live-processes.ts';
import { nobody } from '../../test/support/process-request.ts';
import { runCollected } from '../../test/support/run-collected.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import type { ProcessIdentity, ProcessRequest } from './process-request.ts';

let folder: ThrowAwayFolder;
const strangers: number[] = [];
beforeAll(async () => {
  folder = await openThrowAwayFolder();
  execFileSync('mkfifo', [join(folder.path, 'never')]);
});
afterAll(async () => {
  for (const pid of strangers.filter(isRunning)) process.kill(pid, 'SIGKILL');
  await folder[Symbol.asyncDispose]();
});

const namespaceArgs = ['--info-fd', '4'];
const ALONE = ['--unshare-user', '--unshare-all', '--die-with-parent', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--'];
const behind = (line: string): Partial<ProcessRequest> => ({ file: 'bwrap', args: [...ALONE, 'sh', '-c', line], namespaceArgs });

/** If bubblewrap is killed during this, it has not yet asked the kernel to end the namespace with it. */
function stuckBubblewrap(): Partial<ProcessRequest> {
  return { ...behind('true'), file: script('stuck', `exec 5<>never; exec bwrap --block-fd 5 "$@"`) };
}

function script(name: string, line: string): string {
  const path = join(folder.path, name);
  writeFileSync(path, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  return path;
}

function startStranger(env: Readonly<Record<string, string>> = {}): number {
  const { pid = Number.NaN } = spawn('sleep', ['600'], { detached: true, stdio: 'ignore', env: { PATH: process.env['PATH'], ...env } });
  strangers.push(pid);
  return pid;
}

describe.skipIf(bubblewrapIsMissing())('the first process of a pid namespace', () => {
  it('survives a bubblewrap that is killed early, and we still end it', async () => {
    const told: ProcessIdentity[] = [];
    const watch = (who: ProcessIdentity) => {
      told.push(who);
      if (told.length === 2) process.kill(told[0]?.pid ?? Number.NaN, 'SIGKILL');
    };
    const { file = '', args = [] } = stuckBubblewrap();
    const alone = spawn(file, [...namespaceArgs, ...args], { cwd: folder.path, stdio: ['ignore', 'ignore', 'ignore', 'ignore', 'pipe'], detached: true });
    const [info] = await once(alone.stdio[4] ?? alone, 'data');
    const left = Number(/"child-pid": (\d+)/.exec(String(info))?.[1]);
    strangers.push(left);
    alone.kill('SIGKILL');
    await once(alone, 'exit');
    expect(isRunning(left)).toBe(true);

    const { ending } = await runCollected(folder.path, { ...stuckBubblewrap(), guardian: { ...nobody, watch } });
    expect(ending).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
    expect(told).toHaveLength(2);
    expect(isRunning(told[1]?.pid ?? Number.NaN)).toBe(false);
  });

  it('ends with all processes inside, even one in its own session without environment, and we inspect no process outside', async () => {
    const marker = `namespace-${process.pid}`;
    const onSpawned = () => void startStranger({ RALPH_MARKER: marker });
    const hides = `setsid env -i sh -c 'exec sleep 600.${process.pid}' & sleep 0.2; exit 3`;
    const inside = await runCollected(folder.path, { ...behind(hides), marker, onSpawned });
    expect(inside.ending).toEqual({ kind: 'exited', code: 3 });
    expect(runningWithCommand(`600.${process.pid}`)).toEqual([]);
    expect(strangers.slice(-1).map(isRunning)).toEqual([true]);

    await runCollected(folder.path, { file: 'sleep', args: ['0.2'], marker, onSpawned });
    expect(strangers.slice(-1).map(isRunning)).toEqual([false]);
  });
});

describe('a program that reports a first process', () => {
  /** Waits until we have read its report, and leaves a process behind. */
  async function report(pid: string): Promise<number> {
    const go = join(folder.path, `go-${pid}`);
    const line = `sleep 0 & printf '{ "child-pid": %d }' ${pid} >&4; echo told; until [ -e '${go}' ]; do sleep 0.01; done; setsid sleep 600 >&- 2>&- & echo $!`;
    const onLine = (said: string) => said === 'told' && writeFileSync(go, '');
    const { lines } = await runCollected(folder.path, { file: script('liar', line), namespaceArgs, onLine });
    return Number(lines[1]);
  }

  it('that is not its child cannot make us end that process, and we look for what it left running', async () => {
    const stranger = startStranger();
    expect(isRunning(await report(String(stranger)))).toBe(false);
    expect(isRunning(stranger)).toBe(true);
  });

  it('that is not in its own pid namespace is not trusted, and we look for what it left running', async () => {
    expect(isRunning(await report('$!'))).toBe(false);
  });
});
