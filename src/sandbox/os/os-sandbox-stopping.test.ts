import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bubblewrapIsMissing } from '../../../test/support/bubblewrap.ts';
import { runningWithCommand, runningWithMarker } from '../../../test/support/live-processes.ts';
import { openSandboxStage, type SandboxStage } from '../../../test/support/os-sandbox-stage.ts';
import { type CollectedRun, runCollected } from '../../../test/support/run-collected.ts';
import { until } from '../../../test/support/until.ts';
import { openGuardian } from '../../process/guardian.ts';
import type { ProcessRequest } from '../../process/process-request.ts';

/** A script for node that prints `ready` when it can be stopped. */
async function stopped(stage: SandboxStage, script: string, rest: Partial<ProcessRequest> = {}): Promise<CollectedRun> {
  const { leave, ...enclosed } = await stage.wall.enclose({
    who: 'agent',
    file: 'node',
    args: ['-e', script],
    cwd: stage.repo.path,
    env: { PATH: process.env['PATH'] ?? '', HOME: stage.home },
  });
  const controller = new AbortController();
  const onLine = (line: string) => {
    if (line === 'ready') controller.abort(new Error('enough'));
  };
  const run = await runCollected(stage.repo.beside, { ...enclosed, ...rest, onLine }, controller.signal);
  await leave();
  return run;
}

const stays = 'setInterval(() => {}, 1000); console.log("ready")';
const writesOn = (signal: string) =>
  `process.on('${signal}', () => { require('node:fs').writeFileSync('last-words', '${signal}'); process.exit(5); }); ${stays}`;

describe.skipIf(bubblewrapIsMissing())('a process in the os sandbox that is told to stop', () => {
  it('gets SIGINT, and can write its last output', async () => {
    await using stage = await openSandboxStage();
    const run = await stopped(stage, writesOn('SIGINT'));
    expect(run.ending).toMatchObject({ kind: 'stopped', cause: 'cancelled', code: 5 });
    expect(await readFile(join(stage.repo.path, 'last-words'), 'utf8')).toBe('SIGINT');
    expect(runningWithMarker(run.request.marker)).toEqual([]);
  });

  it('gets SIGTERM if that is the signal', async () => {
    await using stage = await openSandboxStage();
    const run = await stopped(stage, writesOn('SIGTERM'), { stopWith: 'terminate' });
    expect(run.ending).toMatchObject({ kind: 'stopped', code: 5 });
    expect(await readFile(join(stage.repo.path, 'last-words'), 'utf8')).toBe('SIGTERM');
  });

  it('gets the signal although it has left orphans behind, which end too', async () => {
    await using stage = await openSandboxStage();
    const orphan = "require('node:child_process').spawnSync('sh', ['-c', 'setsid sleep 600 >/dev/null 2>&1 &']);";
    const run = await stopped(stage, orphan + writesOn('SIGINT'));
    expect(run.ending).toMatchObject({ code: 5 });
    expect(runningWithMarker(run.request.marker)).toEqual([]);
  });

  it('is killed in time when it ignores all signals', async () => {
    await using stage = await openSandboxStage();
    const run = await stopped(stage, `for (const s of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(s, () => {}); ${stays}`);
    expect(run.ending).toMatchObject({ kind: 'stopped', cause: 'cancelled' });
    expect(run.tookMs).toBeGreaterThan(4_900);
    expect(run.tookMs).toBeLessThan(30_000);
    expect(runningWithMarker(run.request.marker)).toEqual([]);
  });

  it('is found by the guardian under its process id on the host', async () => {
    await using stage = await openSandboxStage();
    await using guardian = openGuardian(`guardian-of-a-wall-${process.pid}`);
    const seen: number[] = [];
    const watch = { ...guardian, watch: (who: { readonly pid: number; readonly startTime: string }) => void seen.push(who.pid), reportLeft() {} };
    const run = await stopped(stage, stays, { guardian: watch });
    // bubblewrap and its first process inside: without them nothing inside lives.
    expect(seen).toEqual([run.spawned[0]?.pid, expect.any(Number)]);
  });
});

describe.skipIf(bubblewrapIsMissing())('when the process that started it is killed', () => {
  it('no process in the os sandbox is left', async () => {
    await using stage = await openSandboxStage();
    const mark = `ralph-orphaned-${process.pid}`;
    const call = { who: 'agent' as const, file: 'bash', args: ['-c', `(setsid bash -c 'exec -a ${mark} sleep 600' &) ; exec -a ${mark} sleep 600`] };
    const {
      file,
      args,
      cwd,
      env,
      extraInput: handed = new Uint8Array(),
    } = await stage.wall.enclose({ ...call, cwd: stage.repo.path, env: { PATH: process.env['PATH'] ?? '', HOME: stage.home } });
    const script =
      "const stdio = ['ignore', 'ignore', 'inherit', 'pipe'], [, handed, file, ...args] = process.argv; setInterval(() => {}, 1000);" +
      "require('node:child_process').spawn(file, args, { detached: true, stdio }).stdio[3].end(Buffer.from(handed, 'hex'));";
    const parent = spawn(process.execPath, ['-e', script, '--', Buffer.from(handed).toString('hex'), file, ...args], {
      cwd,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said: Buffer[] = [];
    parent.stderr.on('data', (chunk: Buffer) => said.push(chunk));
    await until('both run', () => runningWithCommand(`${mark}\u0000600`).length === 2).catch((error: Error) => {
      throw new Error(`${error.message}: ${Buffer.concat(said).toString()}`);
    });
    parent.kill('SIGKILL');
    await until('nothing is left', () => runningWithCommand(mark).length === 0);
  });
});
