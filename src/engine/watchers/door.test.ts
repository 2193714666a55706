import { once } from 'node:events';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../test/support/given.ts';
import { testSettings } from '../../../test/support/run-settings.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { until } from '../../../test/support/until.ts';
import { evolve } from '../../core/evolve.ts';
import { emptyState } from '../../core/state.ts';
import { openTheDoor } from './door.ts';

const state = given(runStarted(testSettings())).reduce(evolve, emptyState);
async function ask(socketPath: string, path: string): Promise<unknown> {
  const asking = request({ socketPath, path }).end();
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return await json(response);
}

describe('the door', () => {
  it('answers over plain HTTP from the state in memory, to its owner only', async () => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'doors', 'run.sock');
    await using _open = openTheDoor(path, () => 5_000)(
      () => undefined,
      () => state,
    );
    await until('it is open', () => existsSync(path));

    expect(await ask(path, '/v1/status')).toMatchObject({ run_id: 'r', status: 'running', duration_ms: 4_000 });
    expect(await ask(path, '/v1/other')).toEqual({ error: 'ask for /v1/status' });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder.path, 'doors')).mode & 0o777).toBe(0o700);
  });

  it('takes the place of what a dead loop left, and is gone when it is closed', async () => {
    await using folder = await openThrowAwayFolder();
    const path = join(folder.path, 'run.sock');
    writeFileSync(path, 'left behind');
    const open = openTheDoor(path, () => 0)(
      () => undefined,
      () => state,
    );
    await until('it is a socket', () => statSync(path).isSocket());
    await open[Symbol.asyncDispose]();
    expect(existsSync(path)).toBe(false);
  });

  it('stays shut, without a word, where no socket can be had', async () => {
    await using folder = await openThrowAwayFolder();
    const file = join(folder.path, 'file');
    writeFileSync(file, '');
    const open = openTheDoor(join(file, 'doors', 'run.sock'), () => 0)(
      () => undefined,
      () => state,
    );
    await open[Symbol.asyncDispose]();
    expect(statSync(file).size).toBe(0);
  });
});
