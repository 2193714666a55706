import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUILT } from '../../test/support/built-modules.ts';
import { isRunning, runningWithMarker } from '../../test/support/live-processes.ts';
import { agentCommand, nobody } from '../../test/support/process-request.ts';
import { runBinary } from '../../test/support/run-binary.ts';
import { runCollected } from '../../test/support/run-collected.ts';
import { skipLoudly } from '../../test/support/skip-loudly.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { until } from '../../test/support/until.ts';
import { identityOf } from './identity.ts';
import type { ProcessIdentity } from './process-request.ts';
import type { ProcessRow } from './process-table.ts';
import { type RelatedProcesses, sweep, sweepMarked } from './sweep.ts';

let folder: ThrowAwayFolder;
beforeAll(async () => {
  folder = await openThrowAwayFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

const strangers: ChildProcess[] = [];
afterAll(() => {
  for (const stranger of strangers) stranger.kill('SIGKILL');
});

/** A process that is not ours, unless it gets a marker. */
async function startStranger(marker?: string): Promise<ProcessIdentity> {
  const env = { PATH: process.env['PATH'], ...(marker === undefined ? {} : { RALPH_MARKER: marker }) };
  const child = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore', env });
  strangers.push(child);
  await once(child, 'spawn');
  const identity = child.pid === undefined ? null : identityOf(child.pid);
  if (identity === null) throw new Error('It is not in the process table.');
  return identity;
}

/** During the work, every process seems to belong to another user. The tests may run as root, who may kill all. */
async function withoutRightToKill<T>(work: () => Promise<T>): Promise<T> {
  const { kill } = process;
  process.kill = () => {
    throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
  };
  try {
    return await work();
  } finally {
    process.kill = kill;
  }
}

describe.concurrent('after a normal exit the sweep ends', () => {
  it('a child that is still in the same group', async () => {
    const run = await runCollected(folder.path, agentCommand('forks-a-child', 'leave'));
    expect(run.ending).toEqual({ kind: 'exited', code: 0 });
    expect(isRunning(Number(run.lines[0]))).toBe(false);
  });

  it('a daemon in its own session with closed stdio', async () => {
    const run = await runCollected(folder.path, agentCommand('daemonises'));
    expect(run.ending).toEqual({ kind: 'exited', code: 0 });
    expect(isRunning(Number(run.lines[0]))).toBe(false);
  });

  it('a grandchild that holds stdout, without waiting for it', async () => {
    const run = await runCollected(folder.path, agentCommand('leaves-stdout-to-a-grandchild'));
    expect(run.ending).toEqual({ kind: 'exited', code: 0 });
    expect(isRunning(Number(run.lines[0]))).toBe(false);
  });

  it('a child without environment that stayed in the group', async () => {
    const run = await runCollected(folder.path, { file: 'sh', args: ['-c', 'env -i sleep 1000 & echo $!'] });
    expect(isRunning(Number(run.lines[0]))).toBe(false);
  });

  it.skipIf(skipLoudly(existsSync('/bin/bash') ? null : 'bash is not installed', 'skip'))(
    'a child without environment that stayed in the session, in a group of its own',
    async () => {
      const run = await runCollected(folder.path, { file: '/bin/bash', args: ['-c', 'set -m; env -i sleep 1000 & echo $!'] });
      expect(isRunning(Number(run.lines[0]))).toBe(false);
    },
  );

  it('a child that removed the marker but was seen while its parent ran', async () => {
    const run = await runCollected(folder.path, agentCommand('hides-a-child-from-the-marker'));
    expect(run.ending).toEqual({ kind: 'exited', code: 0 });
    expect(isRunning(Number(run.lines[0]))).toBe(false);
  });

  it('a process that is just being started when its parent ends, twenty times of twenty', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { request } = await runCollected(folder.path, { file: 'sh', args: ['-c', 'setsid sleep 1000 & setsid sleep 1001 & exit 0'] });
      expect(runningWithMarker(request.marker)).toEqual([]);
    }
  });
});

describe('a process that is left running', () => {
  it('gets SIGTERM first, so that git removes its index lock', async () => {
    const repo = await mkdtemp(join(folder.path, 'repo-'));
    const line = 'git init -q . && truncate -s 1G big.bin && (git add big.bin &) && until [ -e .git/index.lock ]; do :; done';
    const run = await runCollected(folder.path, { file: 'sh', args: ['-c', line], cwd: repo });
    expect(run.ending).toEqual({ kind: 'exited', code: 0 });
    expect(runningWithMarker(run.request.marker)).toEqual([]);
    expect(existsSync(join(repo, '.git/index.lock'))).toBe(false);
  });

  it('is killed a second later if it does not end', async () => {
    const deaf = "(trap '' TERM; echo up; while :; do sleep 1000; done) & sleep 0.5";
    const run = await runCollected(folder.path, { file: 'sh', args: ['-c', deaf] });
    expect(run.lines).toEqual(['up']);
    expect(runningWithMarker(run.request.marker)).toEqual([]);
    expect(run.tookMs).toBeGreaterThan(1_400);
  });

  it('is reported if it cannot be ended', async () => {
    const left: ProcessRow[] = [];
    const run = await withoutRightToKill(() =>
      runCollected(folder.path, {
        file: 'sh',
        args: ['-c', 'exec 2>&-; sleep 1000 >&- & echo $!'],
        guardian: { ...nobody, reportLeft: (rows) => left.push(...rows) },
      }),
    );
    const pid = Number(run.lines[0]);
    expect(run.ending).toEqual({ kind: 'exited', code: 0 });
    expect(left).toMatchObject([{ pid }]);
    process.kill(pid, 'SIGKILL');
  });
});

describe('a sweep', () => {
  const row = { pid: 2 ** 30, ppid: 1, pgid: 2 ** 30, sid: 2 ** 30, zombie: false, startTime: '1' };

  /** Related processes that appear as given, look by look, and then no more; none of them is real. */
  function kinSeenAs(...looks: readonly (readonly ProcessRow[])[]): RelatedProcesses & { looks: number } {
    return {
      looks: 0,
      look() {
        this.looks += 1;
        return { living: looks[this.looks - 1] ?? [], unsure: false };
      },
      giveUpOn() {},
    };
  }

  it('that finds nothing looks once', async () => {
    const kin = kinSeenAs();
    expect(await sweep(kin)).toEqual([]);
    expect(kin.looks).toBe(1);
  });

  it('that has found something ends only after two empty looks in a row', async () => {
    const kin = kinSeenAs([row], [], [row], []);
    expect(await sweep(kin)).toEqual([]);
    expect(kin.looks).toBe(5);
  });
});

describe('the known limit of the sweep', () => {
  it('is a process that cleared its environment and double-forked into its own session: it escapes, but does not delay the sweep', async () => {
    const run = await runCollected(folder.path, agentCommand('escapes-by-clearing-everything'));
    const escaped = Number(run.lines[0]);
    expect(run.ending).toEqual({ kind: 'exited', code: 0 });
    expect(isRunning(escaped)).toBe(true);
    process.kill(escaped, 'SIGKILL');
    await until('the escaped process is gone', () => !isRunning(escaped));
  });
});

describe('sweepMarked', () => {
  it('ends only processes whose marker has the prefix', async () => {
    const run = `swept-${process.pid}`;
    const ours = [await startStranger(`${run}/1.1`), await startStranger(`${run}/12.3`)];
    const others = [await startStranger(), await startStranger(`${run}0/1.1`), await startStranger(`x${run}/1.1`)];
    expect(await sweepMarked(`${run}/`, [])).toEqual([]);
    expect(ours.map(({ pid }) => isRunning(pid))).toEqual([false, false]);
    expect(others.map(({ pid }) => isRunning(pid))).toEqual([true, true, true]);
  });

  it('ends the given processes, and never a foreign process with a reused pid', async () => {
    const known = await startStranger();
    const reused = await startStranger();
    const nobody = `nobody-${process.pid}/`;
    await sweepMarked(nobody, [
      known,
      { ...reused, startTime: '1' },
      { ...reused, bootId: 'another boot' },
      { ...reused, host: 'elsewhere', bootId: 'another boot' },
    ]);
    expect(isRunning(known.pid)).toBe(false);
    expect(isRunning(reused.pid)).toBe(true);
  });

  it('never ends the sweeping process, although that has the marker itself', async () => {
    const marker = `self-${process.pid}`;
    const other = await startStranger(`${marker}/2.1`);
    const driver = join(import.meta.dirname, '../../test/fixtures/loops/sweeps-its-own-marker.mjs');
    const { code, stdout } = await runBinary({
      file: process.execPath,
      args: [driver, BUILT, `${marker}/`],
      cwd: folder.path,
      env: { RALPH_MARKER: `${marker}/1.1` },
      stdin: '',
      withinMs: 30_000,
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'still here, 0 left\n' });
    expect(isRunning(other.pid)).toBe(false);
  });
});
