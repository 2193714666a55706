import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checksRun, pytest } from '../../../test/support/loop-journal.ts';
import { gone, makeRun, stopped } from '../../../test/support/made-runs.ts';
import { closed, ended, opened } from '../../../test/support/run-events.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { begun, failedTask, released } from '../../../test/support/work-journal.ts';
import { workSettings } from '../../../test/support/work-spec.ts';
import type { EventBody } from '../../journal/events/journal-event.ts';
import { showRun } from '../manage/show-run.ts';
import { showLines } from './runs.ts';

const run = '20990101-000000-aaaaaa';

async function shown(after: readonly EventBody[], settings: object = {}): Promise<readonly string[]> {
  await using folder = await openThrowAwayFolder();
  await makeRun(join(folder.path, '.ralph', 'runs'), run, { cwd: folder.path, writer: gone(), after: [...after, stopped('completed', 0)], settings });
  return showLines(await showRun(folder.path, run, { root: null, project: null, task: null }), 0);
}

it('ralph runs show names the task of each iteration, and says which one asks', async () => {
  const asks = [...begun(1, 'T-1'), ended(1, { claim: { by: 'blocked', text: 'Which?' } }), released(1, 'T-1', 'parked'), closed(1, { result: 'red' })];
  const lines = await shown([...asks, ...failedTask(2, 'T-2')], workSettings());
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}1 +T-1 +asks +ok: /));
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}2 +T-2 +failed +failed: /));
});

it('ralph runs show tells an iteration that ended well without a check from one whose checks were green', async () => {
  const unchecked = [opened(1), ended(1), closed(1, { result: 'green' })];
  const checked = [opened(2), ended(2), ...checksRun(2, [[pytest, 0]]), closed(2, { result: 'green' })];
  const lines = await shown([...unchecked, ...checked]);
  expect(lines.filter((line) => /^ {2}[12] /.test(line))).toEqual([
    expect.stringMatching(/^ {2}1 +ok, no checks +ok: /),
    expect.stringMatching(/^ {2}2 +green +ok: /),
  ]);
});
