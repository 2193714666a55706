import { execFileSync } from 'node:child_process';
import { lstat, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { given, runStarted } from '../../../../test/support/given.ts';
import { doneTask } from '../../../../test/support/work-journal.ts';
import { workSettings } from '../../../../test/support/work-spec.ts';
import type { EventBody } from '../../../journal/events/journal-event.ts';
import { evolve } from '../../../journal/evolve/evolve.ts';
import { emptyState, type RunState } from '../../../journal/state/state.ts';
import { keepWorkLog } from './work-status.ts';

let top: string;
let folder: string;
let path: string;
let warnings: string[];
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'ralph-log-'));
  folder = join(top, 'logs');
  path = join(folder, 'ralph.jsonl');
  warnings = [];
});
afterEach(() => rm(top, { recursive: true, force: true }));

const story = [runStarted(workSettings()), ...doneTask(1, 'T-1')];

async function keep(bodies: readonly EventBody[] = story): Promise<void> {
  const projection = keepWorkLog(folder, (text) => warnings.push(text));
  let state: RunState = emptyState;
  for (const event of given(...bodies)) {
    state = evolve(state, event);
    projection.onEvent(event, state);
  }
  await projection.close?.();
}

const entries = async () =>
  (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line));

describe('logs/ralph.jsonl', () => {
  it('is created with its folder, and has one object per line with the fields of the seed first', async () => {
    await keep();
    const all = await entries();
    expect(all.map(({ action }) => action)).toEqual(['loop_started', 'started', 'completed']);
    expect(Object.keys(all[1] ?? {})).toEqual([
      'timestamp',
      'iteration',
      'task_id',
      'action',
      'duration_seconds',
      'exit_code',
      'outcome',
      'story_filter',
      'lane',
      'run_id',
    ]);
    expect(all[1]).toMatchObject({ timestamp: '1970-01-01T00:00:03.000Z', task_id: 'T-1' });
    expect(all[2]).toMatchObject({ exit_code: 0 });
  });

  it('continues where another run has stopped', async () => {
    await keep();
    await keep();
    expect(await entries()).toHaveLength(6);
  });

  it('is shared by runs that write at the same time, without torn lines', async () => {
    const many = Array.from({ length: 50 }, (_, index) => doneTask(index + 1, `T-${index + 1}`)).flat();
    await Promise.all([1, 2, 3, 4].map(() => keep([runStarted(workSettings()), ...many])));
    expect(await entries()).toHaveLength(4 * 101);
  });

  it('is created again when somebody moves it away', async () => {
    const projection = keepWorkLog(folder, (text) => warnings.push(text));
    let state: RunState = emptyState;
    for (const event of given(...story)) {
      state = evolve(state, event);
      projection.onEvent(event, state);
      if (event.seq !== 1) continue;
      await expect.poll(() => readFile(path, 'utf8').catch(() => '')).toContain('loop_started');
      await rename(path, `${path}.1`);
    }
    await projection.close?.();
    expect((await entries()).map(({ action }) => action)).toEqual(['started', 'completed']);
  });
});

describe('a log that cannot be written', () => {
  it.each<[string, () => Promise<unknown>, RegExp]>([
    ['its folder is a file', () => writeFile(folder, 'mine'), /EEXIST|ENOTDIR/],
    ['a folder lies in its place', () => mkdir(path, { recursive: true }), /EISDIR/],
    ['a link lies in its place', () => mkdir(folder).then(() => symlink(join(top, 'mine'), path)), /ELOOP/],
    ['a pipe lies in its place', () => mkdir(folder).then(() => execFileSync('mkfifo', [path])), /ENXIO|no regular file/],
    ['nobody may write there', () => symlink('/proc/sys', folder), /EACCES|EPERM|EEXIST|ENOENT|EROFS/],
  ])('does not stop the run, and warns once: %s', async (_name, prepare, why) => {
    await prepare();
    await keep();
    expect(warnings).toEqual([expect.stringMatching(why)]);
    await expect(lstat(join(top, 'mine'))).rejects.toThrow('ENOENT');
  });
});
