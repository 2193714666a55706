import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../test/support/given.ts';
import { testSettings } from '../../test/support/run-settings.ts';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { until } from '../../test/support/until.ts';
import { evolve } from '../journal/evolve/evolve.ts';
import { emptyState } from '../journal/state/state.ts';
import { openDoor } from './door.ts';

const state = given(runStarted(testSettings())).reduce(evolve, emptyState);
async function ask(socketPath: string, path: string): Promise<unknown> {
  const asking = request({ socketPath, path }).end();
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return await json(response);
}

async function expectShut(path: string): Promise<void> {
  await using _shut = openDoor(path, () => 0)(
    async () => true,
    () => state,
  );
  await new Promise(setImmediate);
  expect(existsSync(path)).toBe(false);
}

describe('the door', () => {
  it('answers over plain HTTP from the state in memory, to its owner only', async () => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'doors', 'run.sock');
    await using _open = openDoor(path, () => 5_000)(
      async () => true,
      () => state,
    );
    await until('it is open', () => existsSync(path));

    expect(await ask(path, '/v1/status')).toMatchObject({ run_id: 'r', status: 'running', duration_ms: 4_000 });
    expect(await ask(path, '/v1/other')).toEqual({ error: 'there is nothing at /v1/other; use /v1/status, /v1/tasks, /v1/questions, /v1/jobs or /v1/bus' });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder.path, 'doors')).mode & 0o777).toBe(0o700);
  });

  it('replaces the socket of a dead loop, and removes its own when it is closed', async () => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'run.sock');
    writeFileSync(path, 'left behind');
    const open = openDoor(path, () => 0)(
      async () => true,
      () => state,
    );
    await until('it is a socket', () => statSync(path).isSocket());
    await open[Symbol.asyncDispose]();
    expect(existsSync(path)).toBe(false);
  });

  it('stays closed, without an error, where no socket can be made', async () => {
    await using folder = await openThrowAwayFolder();
    const file = join(folder.path, 'file');
    writeFileSync(file, '');
    const open = openDoor(join(file, 'doors', 'run.sock'), () => 0)(
      async () => true,
      () => state,
    );
    await open[Symbol.asyncDispose]();
    expect(statSync(file).size).toBe(0);
  });

  it.each<[string, (folder: string) => void]>([
    ['open to others', (folder) => chmodSync(folder, 0o755)],
    ['in a folder where others may exchange it', (folder) => chmodSync(dirname(folder), 0o777)],
  ])('stays closed in a folder that is %s', async (_name, spoil) => {
    await using folder = await openThrowAwayFolder();
    const doors = join(folder.path, 'doors');
    mkdirSync(doors, { mode: 0o700 });
    spoil(doors);
    await expectShut(join(doors, 'run.sock'));
  });

  it('stays closed in a folder that is a link', async () => {
    await using folder = await openThrowAwayFolder();
    mkdirSync(join(folder.path, 'real'), { mode: 0o700 });
    symlinkSync(join(folder.path, 'real'), join(folder.path, 'doors'));
    await expectShut(join(folder.path, 'doors', 'run.sock'));
  });

  it("opens in a worker thread, which may not set the process's umask", async () => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'run.sock');
    const umask = process.umask;
    process.umask = () => {
      throw new Error('process.umask() is not supported in workers');
    };
    try {
      await using _open = openDoor(path, () => 0)(
        async () => true,
        () => state,
      );
      await until('it is open', () => existsSync(path));
    } finally {
      process.umask = umask;
    }
  });
});
