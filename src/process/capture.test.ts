import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { isRunning, runningWithMarker } from '../../test/support/live-processes.ts';
import { capture } from './capture.ts';

const shell = (script: string, more: { readonly timeoutMs?: number; readonly marker?: string } = {}) =>
  capture({ file: 'sh', args: ['-c', script], cwd: tmpdir(), env: { PATH: process.env['PATH'] ?? '' }, timeoutMs: 60_000, ...more });

describe.concurrent('a captured command', () => {
  it('returns its exit code and the whole output of both streams', async () => {
    const { code, stdout, stderr } = await shell('head -c 3000000 /dev/zero | tr "\\0" x; echo trouble >&2; exit 3');
    expect({ code, length: stdout.length, stderr }).toEqual({ code: 3, length: 3_000_000, stderr: 'trouble\n' });
  });

  it('has an empty standard input', async () => {
    expect(await shell('cat; echo read')).toMatchObject({ code: 0, stdout: 'read\n' });
  });

  it.each([
    ['a missing file', 'no-such-command', tmpdir()],
    ['a missing folder', 'sh', '/no/such/folder'],
    ['an invalid name', 'a\0b', tmpdir()],
  ])('is reported as never started: %s', async (_, file, cwd) => {
    const captured = await capture({ file, args: [], cwd, env: { PATH: process.env['PATH'] ?? '' }, timeoutMs: 60_000 });
    expect(captured).toMatchObject({ code: null, started: false, stdout: '', stderr: expect.stringMatching(/./) });
  });

  it('is killed with its process group after its timeout', async () => {
    const { code, started, stdout, stderr } = await shell('sleep 1000 & echo $!; wait', { timeoutMs: 500 });
    expect({ code, started, stderr }).toEqual({ code: null, started: true, stderr: 'it took longer than 0.5 s' });
    expect(isRunning(Number(stdout))).toBe(false);
  });

  it('ends all processes that it left running, and does not wait for them', async () => {
    const marker = `captured-${process.pid}`;
    const { code, stdout } = await shell('sleep 1000 & setsid sleep 1000 & env -i sleep 1000 & echo left', { marker });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'left\n' });
    expect(runningWithMarker(marker)).toEqual([]);
  });
});
