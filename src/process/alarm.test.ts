import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { until } from '../../test/support/until.ts';
import { openAlarm } from './alarm.ts';

/** An alarm that counts how often it rings. */
function counted(ms: number) {
  let rings = 0;
  const alarm = openAlarm(ms, () => {
    rings += 1;
  });
  return { alarm, rings: () => rings };
}

describe('an alarm', () => {
  it('rings once, after its time', async () => {
    const { alarm, rings } = counted(50);
    alarm.restart();
    await until('it rings', () => rings() > 0);
    await sleep(200);
    expect(rings()).toBe(1);
  });

  it('never rings before its first restart, after cancel, after it is closed, or with a time of 0', async () => {
    const [fresh, cancelled, closed, off] = [counted(20), counted(20), counted(20), counted(0)];
    for (const { alarm } of [cancelled, closed, off]) alarm.restart();
    cancelled.alarm.cancel();
    closed.alarm[Symbol.dispose]();
    closed.alarm.restart();
    await sleep(300);
    expect([fresh, cancelled, closed, off].map(({ rings }) => rings())).toEqual([0, 0, 0, 0]);
  });

  it('rings again after another restart', async () => {
    const { alarm, rings } = counted(20);
    alarm.restart();
    await until('it rings', () => rings() === 1);
    alarm.restart();
    await until('it rings again', () => rings() === 2);
  });

  it('can wait longer than a Node timer', async () => {
    const { alarm, rings } = counted(2 ** 40);
    alarm.restart();
    await sleep(100);
    expect(rings()).toBe(0);
    alarm[Symbol.dispose]();
  });

  it('does not ring while output waits unread in a pipe because this process is busy', async () => {
    await using folder = await openThrowAwayFolder();
    const printed = join(folder.path, 'printed');
    const { alarm, rings } = counted(100);
    const child = spawn('sh', ['-c', `echo sound; touch ${printed}; exec sleep 1000`]);
    const heard = once(child.stdout.on('data', alarm.restart), 'data');
    alarm.restart();
    for (const untilMs = performance.now() + 500; performance.now() < untilMs || !existsSync(printed); );
    await heard;
    expect(rings()).toBe(0);
    alarm[Symbol.dispose]();
    child.kill('SIGKILL');
  });
});
