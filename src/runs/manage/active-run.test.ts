import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { forgeLock, gone, holdRun, makeRun, stopped } from '../../../test/support/made-runs.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { findActiveRun, findPausedRun } from './active-run.ts';

const EVERYWHERE = { root: null, project: null, task: null };
const asked = (what: 'pause' | 'go-on'): EventBody => ({ type: 'operator.asked', what, by: 'ann' });

async function openDirectory() {
  const folder = await openThrowAwayFolder();
  const runs = join(folder.path, '.ralph', 'runs');
  await mkdir(runs, { recursive: true });
  return {
    path: folder.path,
    /** A run that this process is working on. */
    async working(run: string, cwd = folder.path, after: readonly EventBody[] = []) {
      await makeRun(runs, run, { cwd, after });
      await holdRun(runs, run);
    },
    async over(run: string, last: EventBody) {
      await makeRun(runs, run, { cwd: folder.path, after: [last] });
    },
    async dead(run: string, after: readonly EventBody[] = []) {
      await makeRun(runs, run, { cwd: folder.path, writer: gone(), after });
      await forgeLock(runs, run, gone());
    },
    runAtWork: (wanted: string | null) => findActiveRun(folder.path, wanted, EVERYWHERE),
    pausedRun: (wanted: string | null) => findPausedRun(folder.path, wanted, EVERYWHERE),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describe('the active run', () => {
  it('needs no name when there is only one in this directory, whatever ran there before', async () => {
    await using here = await openDirectory();
    await here.working('20260101-000001-aaaaaa');
    await here.working('20260101-000002-bbbbbb', '/somewhere/else');
    await here.dead('20260101-000003-cccccc');
    await here.over('20260101-000004-dddddd', stopped('max_iterations'));

    expect(await here.runAtWork(null)).toMatchObject({ run: '20260101-000001-aaaaaa' });
    expect(await here.runAtWork('bbbbbb')).toMatchObject({ run: '20260101-000002-bbbbbb' });
  });

  it.each<[string, string | null, string, string]>([
    ['is none of those here', null, 'no run is active here', 'Name one that is active elsewhere: 20260101-000002-bbbbbb.'],
    ['is over', 'dddddd', 'run 20260101-000004-dddddd is not active (failed)', 'Continue it with: ralph runs resume 20260101-000004-dddddd'],
    ['is dead', 'cccccc', 'run 20260101-000003-cccccc is not active (dead)', 'Continue it with: ralph runs resume 20260101-000003-cccccc'],
  ])('is not found: it %s', async (_why, wanted, message, hint) => {
    await using here = await openDirectory();
    await here.working('20260101-000002-bbbbbb', '/somewhere/else');
    await here.dead('20260101-000003-cccccc');
    await here.over('20260101-000004-dddddd', stopped('max_iterations'));
    await expect(here.runAtWork(wanted)).rejects.toMatchObject({ code: 'run-not-at-work', message, hint, exitCode: 2 });
  });

  it('must be named when there are two', async () => {
    await using here = await openDirectory();
    await here.working('20260101-000001-aaaaaa');
    await here.working('20260101-000002-bbbbbb');
    await expect(here.runAtWork(null)).rejects.toMatchObject({ code: 'run-ambiguous', message: '2 runs are active here', exitCode: 2 });
  });

  it('is not found when there was never a run', async () => {
    await using here = await openDirectory();
    await expect(here.runAtWork(null)).rejects.toMatchObject({ message: 'no run is active here', hint: 'ralph runs list shows the runs.' });
  });
});

describe('a paused run', () => {
  it.each<[string, readonly EventBody[], boolean]>([
    ['once it was told to', [asked('pause')], true],
    ['until it was told to go on', [asked('pause'), asked('go-on')], false],
    ['never by itself', [], false],
  ])('is recognised after: %s', async (_when, after, isPaused) => {
    await using here = await openDirectory();
    await here.working('20260101-000001-aaaaaa', here.path, after);
    const found = await here.pausedRun(null);
    expect(found?.run ?? null).toBe(isPaused ? '20260101-000001-aaaaaa' : null);
  });

  it('counts as paused only while it is active: a dead one is resumed like any other', async () => {
    await using here = await openDirectory();
    await here.dead('20260101-000001-aaaaaa', [asked('pause')]);
    expect(await here.pausedRun(null)).toBeNull();
  });
});
