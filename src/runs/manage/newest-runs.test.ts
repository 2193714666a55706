import { execFileSync } from 'node:child_process';
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeRun, ofTask, stopped, us } from '../../../test/support/made-runs.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { newestRuns } from './newest-runs.ts';

const EVERYWHERE = { root: null, project: null, task: null };
const ids = ['20260105-000000-eeeeee', '20260104-000000-dddddd', '20260103-000000-cccccc', '20260102-000000-bbbbbb', '20260101-000000-aaaaaa'] as const;
const [newest, , , second, oldest] = ids;
const over = { after: [stopped('completed', 0)] };

async function openRuns() {
  const place = await openThrowAwayFolder();
  const folder = join(place.path, '.ralph', 'runs');
  await mkdir(folder, { recursive: true });
  const look = async (trees: number) => {
    const found = await newestRuns(place.path, EVERYWHERE, trees);
    return found && { runs: found.runs.map(({ sight }) => sight.run), others: found.others };
  };
  return { folder, look, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() };
}

describe('the newest runs', () => {
  it('fill the requested number of trees; the others are only counted', async () => {
    await using place = await openRuns();
    for (const run of ids) await makeRun(place.folder, run, over);
    expect(await place.look(2)).toEqual({ runs: ids.slice(0, 2), others: 3 });
    expect(await place.look(9)).toEqual({ runs: ids, others: 0 });
  });

  it('include their own children, but not the children of an older run', async () => {
    await using place = await openRuns();
    const childOf = (parent: string) => ({ ...over, settings: ofTask({ project: 'p', task: 't', parent, folder: '/p/t' }, 'job') });
    for (const run of ids.slice(1)) await makeRun(place.folder, run, run === ids[1] ? childOf(ids[2]) : over);
    await makeRun(place.folder, newest, childOf(oldest));
    expect(await place.look(1)).toEqual({ runs: [ids[1], ids[2]], others: 3 });
  });

  it('cannot be listed alone when an older run may be active, or when that is not known without reading it', async () => {
    await using place = await openRuns();
    for (const run of ids.slice(0, 3)) await makeRun(place.folder, run, over);
    const last = await makeRun(place.folder, second, over);
    await makeRun(place.folder, oldest, { writer: us() });
    expect(await place.look(1)).toBeNull();
    execFileSync('rm', ['-r', join(place.folder, oldest)]);
    expect(await place.look(1)).toMatchObject({ others: 3 });
    await appendFile(join(last, 'journal.jsonl'), '{"v":1,"seq":3,"type":"run.res');
    expect(await place.look(1)).toBeNull();
  });
});
