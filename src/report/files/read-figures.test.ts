import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeRun, stopped } from '../../../test/support/made-runs.ts';
import { ended, opened } from '../../../test/support/run-events.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { newRunId } from '../../store/run-home.ts';
import { readFigures } from './read-figures.ts';

async function attemptsIn(folder: string, fromMs = 0) {
  const found: (number | null)[] = [];
  for await (const figures of readFigures([folder], fromMs))
    found.push(figures && [...figures.agents.values()].reduce((sum, { spent }) => sum + spent.attempts, 0));
  return found;
}

it('the figures of past runs are read newest first, from a date on, past runs that cannot be read', async () => {
  await using folder = await openThrowAwayFolder();
  const day = 86_400_000;
  const after = [opened(1), ended(1), ended(1, { attempt: 2 }), stopped('stuck')];
  await makeRun(folder.path, newRunId(10 * day), { after });
  await makeRun(folder.path, newRunId(20 * day), { after: after.slice(0, 2) });
  await mkdir(join(folder.path, newRunId(30 * day)));
  const broken = await makeRun(folder.path, newRunId(40 * day));
  await writeFile(join(broken, 'journal.jsonl'), '{"v":1,"seq":1,"at":1,"type":"run.started"}\n');
  expect(await attemptsIn(folder.path)).toEqual([null, 1, 2]);
  expect(await attemptsIn(folder.path, 15 * day)).toEqual([null, 1]);
});
