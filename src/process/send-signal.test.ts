import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { isRunning } from '../../test/support/live-processes.ts';
import { identityOf } from './identity.ts';
import { sendSignal } from './stop.ts';

describe('a signal', () => {
  it('reaches the intended process, and never a foreign process with a reused pid', async () => {
    const child = spawn('sleep', ['3600'], { stdio: 'ignore' });
    const ended = once(child, 'exit');
    const identity = identityOf(child.pid ?? 0);
    if (identity === null) throw new Error('It has ended at once.');

    expect(sendSignal({ ...identity, startTime: '1' }, 'SIGKILL')).toBe('gone');
    expect(sendSignal({ ...identity, bootId: 'earlier' }, 'SIGKILL')).toBe('gone');
    expect(isRunning(identity.pid)).toBe(true);
    expect(sendSignal(identity, 'SIGTERM')).toBe('sent');
    expect(await ended).toEqual([null, 'SIGTERM']);
    expect(sendSignal(identity, 'SIGTERM')).toBe('gone');
  });
});
