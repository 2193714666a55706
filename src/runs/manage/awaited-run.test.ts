import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faraway, forgeLock, gone, makeRun, stopped, us } from '../../../test/support/made-runs.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import type { ProcessIdentity } from '../../process/process-request.ts';
import { readRunSummary } from '../../store/runs/run-summary.ts';
import { type AwaitedRun, awaitedRun } from './awaited-run.ts';

const RUN = 'a-run';
const NO_EVENT = 'the last line of its journal is no event';

async function awaited(made: { readonly holder: ProcessIdentity; readonly after?: string; readonly isBegun?: boolean }): Promise<AwaitedRun | null> {
  await using folder = await openThrowAwayFolder();
  if (made.isBegun === false) await mkdir(join(folder.path, RUN));
  else await appendFile(join(await makeRun(folder.path, RUN), 'journal.jsonl'), made.after ?? '');
  await forgeLock(folder.path, RUN, made.holder);
  const sight = await readRunSummary(folder.path, RUN);
  return sight && awaitedRun(sight);
}

describe('a run that somebody waits for', () => {
  it('reports how it ended', async () => {
    const after = `${JSON.stringify({ v: 1, seq: 2, at: 2_000, ...stopped('max_restarts', 1) })}\n`;
    expect(await awaited({ holder: gone(), after })).toEqual({ status: 'failed', exit_code: 1, message: 'made up' });
  });

  it('is over when its process has ended, even if its journal is unreadable', async () => {
    expect(await awaited({ holder: gone(), after: 'rubbish\n' })).toEqual({
      status: 'unreadable',
      exit_code: null,
      message: `its process is gone, and ${NO_EVENT}`,
    });
  });

  it.each([
    ['lives', us(), 'running'],
    ['is where nobody can look', faraway, 'unknown'],
  ])('is not over because of garbage in its journal while its process %s', async (_name, holder, status) => {
    expect(await awaited({ holder, after: 'rubbish\n' })).toEqual({ status, exit_code: null, message: NO_EVENT });
  });

  it('is not over before its journal has begun', async () => {
    expect(await awaited({ holder: us(), isBegun: false })).toMatchObject({ status: 'running' });
  });
});
