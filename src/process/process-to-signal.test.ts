import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { processToSignal } from './stop.ts';

describe('the process that gets the first stop signal', () => {
  it('is the oldest child, the given number of generations below', async () => {
    const script = 'sh -c "sleep 60 & echo \\$!; wait" & sleep 0.2; sleep 61 & wait';
    const child = spawn('sh', ['-c', script], { detached: true });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const pid = child.pid ?? 0;
    const middle = processToSignal(pid, 1);
    expect(processToSignal(pid, 0)).toBe(pid);
    expect(middle === null ? null : processToSignal(middle, 1)).toBe(Number(line.toString()));
    expect(processToSignal(pid, 2)).toBe(Number(line.toString()));
    expect(processToSignal(pid, 5)).toBeNull();
    process.kill(-pid, 'SIGKILL');
  });
});
