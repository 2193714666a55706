import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { until } from '../../test/support/until.ts';
import { openAlarm } from './alarm.ts';

/** An alarm that counts how often it rang. */
function counted(ms: number) {
  let rings = 0;
  const alarm = openAlarm(ms, () => {
    rings += 1;
  });
  return { alarm, rings: () => rings };
}

describe('an alarm', () => {
  it('rings once, when its time is over', async () => {
    const { alarm, rings } = counted(50);
    alarm.restart();
    await until('it rings', () => rings() > 0);
    await sleep(200);
    expect(rings()).toBe(1);
  });

  it('never rings before its first restart, after cancel, when closed, or with no time set', async () => {
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

  it('waits longer than a Node timer can', async () => {
    const { alarm, rings } = counted(2 ** 40);
    alarm.restart();
    await sleep(100);
    expect(rings()).toBe(0);
    alarm[Symbol.dispose]();
  });

  it('is not fooled by our own business: what waits in a pipe is heard before it rings', async () => {
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
