import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isRunning } from '../../test/support/live-processes.ts';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { until } from '../../test/support/until.ts';
import { identityOf, isAlive, livenessOf } from './identity.ts';
import { readProcessTable, readPsRow, readPsTable } from './process-table.ts';

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

function start(file: string, args: readonly string[], env: Readonly<Record<string, string>>): number {
  const child = spawn(file, args, { detached: true, stdio: 'ignore', env: { PATH: process.env['PATH'], ...env } });
  children.push(child);
  if (child.pid === undefined) throw new Error('It did not start.');
  return child.pid;
}

/** The zombie child of a process that never collects it. */
async function startZombie(): Promise<number> {
  const parent = start('sh', ['-c', 'sleep 0 & exec sleep 1000'], {});
  const zombies = () => readProcessTable().rows.filter((row) => row.ppid === parent && row.zombie);
  await until('there is a zombie', () => zombies().length === 1);
  return zombies()[0]?.pid ?? Number.NaN;
}

describe('the process table', () => {
  it('shows parent, group and session of a process, and its marker', () => {
    const pid = start('sleep', ['1000'], { RALPH_MARKER: 'table/1.1' });
    const table = readProcessTable();
    expect(table.rows.find((row) => row.pid === pid)).toMatchObject({ ppid: process.pid, pgid: pid, sid: pid, zombie: false });
    expect(table.environmentOf(pid)).toEqual({ marker: 'table/1.1', empty: false });
    expect(table.environmentOf(process.pid).empty).toBe(false);
  });

  it('handles program names with spaces and parentheses', async () => {
    await using folder = await openThrowAwayFolder();
    const odd = join(folder.path, 'a) Z 1 (b c');
    await copyFile('/bin/sleep', odd);
    const pid = start(odd, ['1000'], {});
    expect(readProcessTable().rows.find((row) => row.pid === pid)).toMatchObject({ ppid: process.pid, pgid: pid, zombie: false });
  });

  it('recognises the marker variable only by its full name', () => {
    const pid = start('sleep', ['1000'], { OLD_RALPH_MARKER: 'no/1.1', NOTE: 'RALPH_MARKER=no/1.1' });
    expect(readProcessTable().environmentOf(pid)).toEqual({ marker: null, empty: false });
  });

  it('distinguishes a zombie from a live process', async () => {
    const zombie = await startZombie();
    expect(() => process.kill(zombie, 0)).not.toThrow();
    expect(isRunning(zombie)).toBe(false);
  });

  it('is the same as from ps, which other systems use', async () => {
    const pid = start('sleep', ['1000'], { RALPH_MARKER: 'by-ps/1.1' });
    const zombie = await startZombie();
    const table = readPsTable();
    const row = table.rows.find((each) => each.pid === pid);
    expect(row).toMatchObject({ ppid: process.pid, pgid: pid, zombie: false, startTime: expect.stringMatching(/^\w{3}_\w{3}_\d+_[\d:]{8}_\d{4}$/) });
    expect(readPsRow(pid)).toEqual(row);
    expect(table.rows.find((each) => each.pid === zombie)?.zombie).toBe(true);
    expect(table.environmentOf(pid)).toEqual({ marker: 'by-ps/1.1', empty: false });
    expect(table.environmentOf(1).marker).toBeNull();
  });
});

describe('the identity of a process', () => {
  it('is alive while it runs, and dead after', async () => {
    const pid = start('sleep', ['1000'], {});
    const identity = identityOf(pid);
    if (identity === null) throw new Error('It is not in the process table.');
    expect(isAlive(identity)).toBe(true);
    process.kill(pid, 'SIGKILL');
    await until('it is dead', () => !isAlive(identity));
  });

  it('is null for an unused pid', () => {
    expect(identityOf(2 ** 22 + 1)).toBeNull();
  });

  it('is dead as a zombie', async () => {
    const identity = identityOf(await startZombie());
    expect(identity && livenessOf(identity)).toBe('dead');
  });

  it('differs by start time and boot but not by host name, and is unknown on another machine or in another pid namespace', () => {
    const us = identityOf(process.pid);
    if (us === null) throw new Error('We are not in the process table.');
    expect(livenessOf(us)).toBe('alive');
    expect(livenessOf({ ...us, startTime: '1' })).toBe('dead');
    expect(livenessOf({ ...us, bootId: 'an earlier boot' })).toBe('dead');
    expect(livenessOf({ ...us, host: 'renamed' })).toBe('alive');
    expect(livenessOf({ ...us, host: 'elsewhere', bootId: 'its boot' })).toBe('unknown');
    expect(livenessOf({ ...us, bootId: `${us.bootId.split('+')[0]}+1` })).toBe('unknown');
  });
});
