import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { holdRun, makeRun, ofTask, stopped } from '../../../../test/support/made-runs.ts';
import { openThrowAwayFolder } from '../../../../test/support/throw-away-folder.ts';
import { openRunsOfTasks } from './open-supervision.ts';

describe('the status of a task that another waits for', () => {
  it('follows its newest run that no other run requested, and is read again with each look', async () => {
    await using folder = await openThrowAwayFolder();
    const runs = join(folder.path, 'runs');
    await mkdir(runs);
    const runsOf = openRunsOfTasks();
    const look = () => runsOf(folder.path);
    const none = await look();
    await makeRun(runs, '1', { settings: ofTask(), after: [stopped('completed', 0)] });
    await makeRun(runs, '2', { settings: ofTask({ parent: '1' }, 'job'), after: [stopped('fatal')] });
    const done = await look();
    const letGo = await holdRun(runs, '2');
    const active = await look();
    await letGo();
    const doneAgain = await look();
    await makeRun(runs, '3', { settings: ofTask(), after: [stopped('max_restarts')] });

    expect([none, done, active, doneAgain, await look()]).toEqual([
      { anyActive: false, newestDone: null },
      { anyActive: false, newestDone: true },
      { anyActive: true, newestDone: null },
      { anyActive: false, newestDone: true },
      { anyActive: false, newestDone: false },
    ]);
  });
});
