import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUILT } from '../../test/support/built-modules.ts';
import { killPid } from '../../test/support/kill-pid.ts';
import { isRunning, runningWithMarker } from '../../test/support/live-processes.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { until } from '../../test/support/until.ts';
import { isAlive } from './identity.ts';
import { readProcessRow } from './process-table.ts';
import { type DetachedRequest, type StartedDetached, startDetached } from './start-detached.ts';

let folder: ThrowAwayFolder;
beforeAll(async () => {
  folder = await openThrowAwayFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

function shell(script: string, over: Partial<DetachedRequest> = {}): DetachedRequest {
  const id = randomUUID();
  const env = { PATH: process.env['PATH'] ?? '' };
  return { file: 'sh', args: ['-c', script], cwd: folder.path, env, marker: `${id}/child`, logFile: join(folder.path, `${id}.log`), ...over };
}

type Running = Extract<StartedDetached, { kind: 'started' }>;

async function started(request: DetachedRequest): Promise<Running> {
  const answer = await startDetached(request);
  if (answer.kind !== 'started') throw new Error(answer.message);
  return answer;
}

describe('a detached process', () => {
  it('leads its own session, has its marker, and has a unique identity', async () => {
    const request = shell('exec sleep 60');
    const { identity, ended } = await started(request);
    await until('it carries the marker', () => runningWithMarker(request.marker).includes(identity.pid));
    expect(readProcessRow(identity.pid)).toMatchObject({ pid: identity.pid, sid: identity.pid, pgid: identity.pid, startTime: identity.startTime });
    process.kill(identity.pid, 'SIGKILL');
    expect(await ended).toBeNull();
    expect(isAlive(identity)).toBe(false);
  });

  it('has no input, and its output is in a file that only its owner can read', async () => {
    const request = shell('cat; echo out; echo err >&2; exit 3');
    const { ended } = await started(request);
    expect(await ended).toBe(3);
    expect(readFileSync(request.logFile, 'utf8')).toBe('out\nerr\n');
    expect(statSync(request.logFile).mode & 0o777).toBe(0o600);
  });

  it('is collected when it ends, so no zombie stays in the process table', async () => {
    const { identity, ended } = await started(shell('exit 0'));
    await ended;
    expect(readProcessRow(identity.pid)).toBeNull();
  });

  it('never writes its output through a symbolic link', async () => {
    const request = shell('echo out');
    const precious = join(folder.path, 'precious');
    writeFileSync(precious, 'precious');
    symlinkSync(precious, request.logFile);
    await (await started(request)).ended;
    expect(readFileSync(precious, 'utf8')).toBe('precious');
    expect(readFileSync(request.logFile, 'utf8')).toBe('out\n');
  });

  it.each([
    ['a missing command', { file: 'no-such-command' }, 'not-found'],
    ['a missing directory', { cwd: '/no/such/directory' }, 'bad-directory'],
    ['an output file that cannot be created', { logFile: '/no/such/directory/log' }, 'other'],
    ['an argument with a zero byte', { args: ['-c', 'a\0b'] }, 'other'],
  ] as const)('that cannot be started is reported with the reason: %s', async (_name, over, reason) => {
    expect(await startDetached(shell('exit 0', over))).toMatchObject({ kind: 'never-started', reason });
  });

  it('does not keep the process that started it alive, and survives its end', async () => {
    const kit = BUILT;
    const request = shell('exec sleep 60');
    const script = `
      const { startDetached } = await import(${JSON.stringify(join(kit, 'process', 'start-detached.js'))});
      const { identity } = await startDetached(${JSON.stringify(request)});
      process.stdout.write(String(identity.pid));`;
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', timeout: 30_000 });
    expect(status).toBe(0);
    expect(isRunning(Number(stdout))).toBe(true);
    killPid(stdout, 'SIGKILL');
    expect(existsSync(request.logFile)).toBe(true);
  });
});
