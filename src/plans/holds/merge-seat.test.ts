import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { handClock } from '../../../test/support/hand-clock.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { until } from '../../../test/support/until.ts';
import type { Clock } from '../../engine/ports/ports.ts';
import type { Registers } from '../../engine/ports/stores.ts';
import type { Holder } from '../../journal/words/task-register.ts';
import { identityOf, livenessOf } from '../../process/identity.ts';
import { openSystemClock } from '../../store/clock.ts';
import { openFileRegisters } from '../../store/registers-files.ts';
import { takeMergeSeat } from './merge-seat.ts';

type HoldingProcess = NonNullable<Holder['process']>;

const REGISTER = 'merge/main';
const never = new AbortController().signal;

let folder: string;
let registers: Registers;

beforeEach(async () => {
  const opened = await openThrowAwayFolder();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  folder = opened.path;
  registers = openFileRegisters(folder);
});

function processOf(pid: number): HoldingProcess {
  const identity = identityOf(pid);
  if (identity === null) throw new Error('no such process');
  return { host: identity.host, boot_id: identity.bootId, pid, start_time: identity.startTime };
}

/** Lives until it is killed. */
async function startOther(): Promise<{ readonly process: HoldingProcess; kill(): Promise<void> }> {
  const child: ChildProcess = spawn(process.execPath, ['-e', 'process.stdout.write("up"); setInterval(() => {}, 1000)'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (child.stdout) await once(child.stdout, 'data');
  const gone = once(child, 'exit');
  return {
    process: processOf(child.pid ?? 0),
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

interface Sitter {
  readonly key?: string;
  readonly as?: HoldingProcess;
  readonly view?: Registers;
  readonly clock?: Clock;
  readonly liveness?: 'alive' | 'dead' | 'unknown';
  readonly signal?: AbortSignal;
}

function sit({ key = 'merge:1.1', as = processOf(process.pid), view = registers, clock = openSystemClock(), liveness, signal = never }: Sitter = {}) {
  const look = ({ host, boot_id, pid, start_time }: HoldingProcess) => liveness ?? livenessOf({ host, bootId: boot_id, pid, startTime: start_time });
  return takeMergeSeat({ work: { registers: view, process: as, livenessOf: look }, clock }, { base: 'main', run: 'run-1', key }, signal);
}

const heldBy = (as: HoldingProcess, name = 'run-9/merge:1.1'): Holder => ({ name, run: 'run-9', lane: null, process: as });

describe('the merge seat', () => {
  it('is ours while we hold it, and free afterwards', async () => {
    const seat = await sit();
    expect(await registers.get(REGISTER)).toEqual({ n: 1, value: { name: 'run-1/merge:1.1', run: 'run-1', lane: null, process: processOf(process.pid) } });
    await seat?.[Symbol.asyncDispose]();
    expect(await registers.get(REGISTER)).toEqual({ n: 2, value: null });
    expect(await sit()).not.toBeNull();
  });

  it('is given to the workers of a process one at a time, in the order they came', async () => {
    const order: string[] = [];
    let sitting = 0;
    const lane = async (key: string) => {
      await using seat = await sit({ key });
      if (seat === null) throw new Error('no seat');
      sitting += 1;
      order.push(`${key}${sitting > 1 ? ' together with another' : ''}`);
      await new Promise((resolve) => setImmediate(resolve));
      sitting -= 1;
    };
    const keys = ['merge:1.1', 'merge:2.1', 'merge:3.1', 'merge:4.1', 'merge:5.1'];
    await Promise.all(keys.map(lane));
    expect(order).toEqual(keys);
  });

  it('is never held by two processes at once', async () => {
    const others = await Promise.all([startOther(), startOther(), startOther()]);
    let [sitting, most, sat] = [0, 0, 0];
    const worker = async (as: HoldingProcess, index: number) => {
      const view = openFileRegisters(folder);
      for (let time = 1; time <= 4; time += 1) {
        await using _seat = await sit({ as, view, key: `merge:${index}.${time}` });
        sitting += 1;
        most = Math.max(most, sitting);
        await new Promise((resolve) => setImmediate(resolve));
        sitting -= 1;
        sat += 1;
      }
    };
    await Promise.all(others.map(({ process: as }, index) => worker(as, index)));
    expect({ most, sat }).toEqual({ most: 1, sat: 12 });
  });

  it('is waited for while its holder lives, and taken over when the holder was killed', async () => {
    const other = await startOther();
    await registers.put(REGISTER, 1, heldBy(other.process));
    let looks = 0;
    let isOurs = false;
    const view: Registers = {
      ...registers,
      get: (name) => {
        looks += 1;
        return registers.get(name);
      },
    };
    const taking = sit({ view }).then((seat) => {
      isOurs = true;
      return seat;
    });
    await until('it has looked some times', () => looks >= 4);
    expect(isOurs).toBe(false);
    await other.kill();
    expect(await taking).not.toBeNull();
    expect(await registers.get(REGISTER)).toMatchObject({ n: 2, value: { name: 'run-1/merge:1.1' } });
  });

  it("is waited for a quarter of an hour if its holder's liveness is unknown", async () => {
    const elsewhere = { host: 'elsewhere', boot_id: 'b', pid: 7, start_time: '7' };
    await registers.put(REGISTER, 1, heldBy(elsewhere));
    const clock = handClock();
    const startedMs = clock.nowMs();
    expect(await sit({ clock, liveness: 'unknown' })).not.toBeNull();
    const waitedMs = clock.nowMs() - startedMs;
    expect(waitedMs).toBeGreaterThanOrEqual(15 * 60_000);
    expect(waitedMs).toBeLessThan(16 * 60_000);
  });

  it('is taken where the register cannot be read', async () => {
    await registers.put(REGISTER, 1, { holder: 'somebody, in a language of later days' });
    expect(await sit()).not.toBeNull();
  });

  it('is taken where an earlier merge of this process never released it', async () => {
    await registers.put(REGISTER, 1, heldBy(processOf(process.pid)));
    expect(await sit()).not.toBeNull();
  });

  it('is no longer waited for after an abort, and the queue moves up', async () => {
    const first = await sit({ key: 'merge:1.1' });
    const controller = new AbortController();
    const second = sit({ key: 'merge:2.1', signal: controller.signal });
    const third = sit({ key: 'merge:3.1' });
    controller.abort('enough');
    expect(await second).toBeNull();
    await first?.[Symbol.asyncDispose]();
    expect(await third).not.toBeNull();
    expect(await registers.get(REGISTER)).toMatchObject({ n: 3, value: { name: 'run-1/merge:3.1' } });
  });

  it('is left to its living holder by a process that is told to stop', async () => {
    const other = await startOther();
    await registers.put(REGISTER, 1, heldBy(other.process));
    const controller = new AbortController();
    const taking = sit({ signal: controller.signal });
    controller.abort('enough');
    expect(await taking).toBeNull();
    expect(await registers.get(REGISTER)).toMatchObject({ n: 1 });
  });

  it('is not released by its former holder after somebody else took it over', async () => {
    const seat = await sit();
    await registers.put(REGISTER, 2, heldBy(processOf(process.pid)));
    await seat?.[Symbol.asyncDispose]();
    expect(await registers.get(REGISTER)).toMatchObject({ n: 2, value: { run: 'run-9' } });
  });
});
