import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { isRunning, runningWithMarker } from '../../test/support/live-processes.ts';
import { capture } from './capture.ts';

const shell = (script: string, more: { readonly timeoutMs?: number; readonly marker?: string } = {}) =>
  capture({ file: 'sh', args: ['-c', script], cwd: tmpdir(), env: { PATH: process.env['PATH'] ?? '' }, timeoutMs: 60_000, ...more });

describe.concurrent('a captured command', () => {
  it('gives its exit code and both of its outputs, whole', async () => {
    const { code, stdout, stderr } = await shell('head -c 3000000 /dev/zero | tr "\\0" x; echo trouble >&2; exit 3');
    expect({ code, length: stdout.length, stderr }).toEqual({ code: 3, length: 3_000_000, stderr: 'trouble\n' });
  });

  it('has no input to wait for', async () => {
    expect(await shell('cat; echo read')).toMatchObject({ code: 0, stdout: 'read\n' });
  });

  it.each([
    ['a file that is not there', 'no-such-command', tmpdir()],
    ['a folder that is not there', 'sh', '/no/such/folder'],
    ['a name no system takes', 'a\0b', tmpdir()],
  ])('is told as never started: %s', async (_, file, cwd) => {
    const captured = await capture({ file, args: [], cwd, env: { PATH: process.env['PATH'] ?? '' }, timeoutMs: 60_000 });
    expect(captured).toMatchObject({ code: null, started: false, stdout: '', stderr: expect.stringMatching(/./) });
  });

  it('is killed with its group when its time is over', async () => {
    const { code, started, stdout, stderr } = await shell('sleep 1000 & echo $!; wait', { timeoutMs: 500 });
    expect({ code, started, stderr }).toEqual({ code: null, started: true, stderr: 'it took longer than 0.5 s' });
    expect(isRunning(Number(stdout))).toBe(false);
  });

  it('takes what it left running with it, wherever that hid, and is not held up by it', async () => {
    const marker = `captured-${process.pid}`;
    const { code, stdout } = await shell('sleep 1000 & setsid sleep 1000 & env -i sleep 1000 & echo left', { marker });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'left\n' });
    expect(runningWithMarker(marker)).toEqual([]);
  });
});
