import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeRun, ofTask, stopped } from '../../../../test/support/made-runs.ts';
import { openThrowAwayFolder } from '../../../../test/support/throw-away-folder.ts';
import { awaitJob } from './await-job.ts';

it('a job that has ended is shown as its journal says, even while its run.json is outdated', async () => {
  await using folder = await openThrowAwayFolder();
  const runFolder = await makeRun(folder.path, 'a-job', { settings: ofTask({}, 'job'), after: [stopped('max_restarts')] });
  await writeFile(join(runFolder, 'run.json'), JSON.stringify({ status: 'running', exit_code: null }));
  expect(await awaitJob({ run: 'a-job', runFolder, socket: join(folder.path, 'nobody.sock') })).toMatchObject({
    status: 'failed',
    view: { status: 'stopped', stop_reason: 'max_restarts', exit_code: 1, run_folder: runFolder },
  });
});
