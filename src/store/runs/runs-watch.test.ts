import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faraway, forgeLock, gone, holdRun, makeRun, ofTask, us } from '../../../test/support/made-runs.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { openRunsWatch } from './runs-watch.ts';

const activeRunsIn = (runsFolder: string) => openRunsWatch(runsFolder).active();

describe('the active runs of a folder', () => {
  it('are those that a live process holds, with their parents', async () => {
    await using folder = await openThrowAwayFolder();
    await makeRun(folder.path, 'a-child', { settings: ofTask({ task: 'roof', parent: 'above' }, 'job') });
    await makeRun(folder.path, 'plain');
    await makeRun(folder.path, 'gone');
    await makeRun(folder.path, 'far');
    await makeRun(folder.path, 'unlocked');
    for (const run of ['a-child', 'plain']) await forgeLock(folder.path, run, us());
    await forgeLock(folder.path, 'gone', gone());
    await forgeLock(folder.path, 'far', faraway);

    expect(await activeRunsIn(folder.path)).toEqual([
      { run: 'a-child', parent: 'above', task: 'roof', identity: us() },
      { run: 'plain', parent: null, task: null, identity: us() },
    ]);
  });

  it('appear, disappear and appear again with their processes', async () => {
    await using folder = await openThrowAwayFolder();
    const watch = openRunsWatch(folder.path);
    const runs = async () => (await watch.active()).map(({ run }) => run);
    const before = await runs();
    await makeRun(folder.path, 'one');
    const unheld = await runs();
    const letGo = await holdRun(folder.path, 'one');
    const held = await runs();
    await letGo();
    const free = await runs();
    const letGoAgain = await holdRun(folder.path, 'one');
    const resumed = await runs();
    await letGoAgain();

    expect([before, unheld, held, free, resumed, await runs()]).toEqual([[], [], ['one'], [], ['one'], []]);
  });

  it('are not listed before their first event', async () => {
    await using folder = await openThrowAwayFolder();
    const watch = openRunsWatch(folder.path);
    const letGo = await holdRun(folder.path, 'one');
    const starting = await watch.active();
    await makeRun(folder.path, 'one');
    const started = await watch.active();
    await letGo();
    expect([starting, started.map(({ run }) => run)]).toEqual([[], ['one']]);
  });

  it('are found without reading finished runs again, because their files never change', async () => {
    await using folder = await openThrowAwayFolder();
    await makeRun(folder.path, 'old');
    await forgeLock(folder.path, 'old', gone());
    const watch = openRunsWatch(folder.path);
    await watch.active();
    await forgeLock(folder.path, 'old', us());
    expect([await watch.active(), (await activeRunsIn(folder.path)).length]).toEqual([[], 1]);
  });

  it('do not include those that a process holds only to remove them', async () => {
    await using folder = await openThrowAwayFolder();
    await makeRun(folder.path, 'old');
    const letGo = await holdRun(folder.path, 'old', 'prune');
    const active = await activeRunsIn(folder.path);
    await letGo();
    expect(active).toEqual([]);
  });

  it('are listed even if another folder there is hostile', async () => {
    await using folder = await openThrowAwayFolder();
    for (const run of ['good', 'trap']) await makeRun(folder.path, run);
    await forgeLock(folder.path, 'good', us());
    execFileSync('mkfifo', [join(folder.path, 'trap.lock@1')]);
    expect((await activeRunsIn(folder.path)).map(({ run }) => run)).toEqual(['good']);
  });
});
