import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appendEvent, faraway, forgeLock, gone, holdRun, makeRun, ofTask, stopped, us } from '../../../test/support/made-runs.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { readRuns } from './read-runs.ts';
import { readRunSummary } from './run-summary.ts';

const RUN = '20260101-000000-aaaaaa';

describe('the summary of a run', () => {
  it('is made from its first and its last line', async () => {
    await using folder = await openThrowAwayFolder();
    const settings = ofTask({ project: 'house', task: 'roof', parent: 'above', folder: '/house/roof' }, 'job');
    await makeRun(folder.path, RUN, { settings, cwd: '/somewhere', at: 5_000, after: [stopped('waiting', 0)] });
    expect(await readRunSummary(folder.path, RUN)).toMatchObject({
      kind: 'run',
      run: RUN,
      folder: join(folder.path, RUN),
      recipe: 'job',
      task: { project: 'house', task: 'roof', parent: 'above' },
      cwd: '/somewhere',
      startedAtMs: 5_000,
      lastAtMs: 5_001,
      stopped: { stop_reason: 'waiting', exit_code: 0 },
    });
  });

  it('ignores a torn last line', async () => {
    await using folder = await openThrowAwayFolder();
    const run = await makeRun(folder.path, RUN, { after: [stopped('completed', 0)] });
    await appendFile(join(run, 'journal.jsonl'), '{"v":1,"seq":3,"type":"run.res');
    expect(await readRunSummary(folder.path, RUN)).toMatchObject({ stopped: { stop_reason: 'completed' } });
  });

  it('is no longer stopped after a resume', async () => {
    await using folder = await openThrowAwayFolder();
    const run = await makeRun(folder.path, RUN, { after: [stopped('interrupted')] });
    const { host, bootId, pid, startTime } = us();
    await appendEvent(run, 3, { type: 'run.resumed', ralph: 'test', writer: { host, boot_id: bootId, pid, start_time: startTime } });
    expect(await readRunSummary(folder.path, RUN)).toMatchObject({ stopped: null });
  });

  it('is null if no run has ever started', async () => {
    await using folder = await openThrowAwayFolder();
    await mkdir(join(folder.path, 'empty'));
    await mkdir(join(folder.path, 'stillborn'));
    await writeFile(join(folder.path, 'stillborn', 'journal.jsonl'), '');
    for (const run of ['nowhere', 'empty', 'stillborn']) expect(await readRunSummary(folder.path, run)).toBeNull();
    expect(await readRuns(join(folder.path, 'nowhere'))).toEqual([]);
  });
});

describe('the liveness of a run', () => {
  it('comes from its lock, held or released', async () => {
    await using folder = await openThrowAwayFolder();
    await makeRun(folder.path, RUN);
    const letGo = await holdRun(folder.path, RUN);
    const held = await readRunSummary(folder.path, RUN);
    await letGo();

    expect(held).toMatchObject({ liveness: 'alive', writer: us() });
    expect(await readRunSummary(folder.path, RUN)).toMatchObject({ liveness: 'dead' });
  });

  it.each([
    ['a process that is gone', gone(), 'dead'],
    ['another process with its pid', { ...us(), startTime: '99' }, 'dead'],
    ['a process of an earlier boot', { ...us(), bootId: 'earlier' }, 'dead'],
    ['a process of another machine', faraway, 'unknown'],
  ])('comes from its lock when the holder is %s', async (_name, holder, liveness) => {
    await using folder = await openThrowAwayFolder();
    await makeRun(folder.path, RUN, { writer: gone() });
    await forgeLock(folder.path, RUN, holder);
    expect(await readRunSummary(folder.path, RUN)).toMatchObject({ kind: 'run', liveness, stopped: null });
  });

  it('ignores a process that holds the lock only to remove the run', async () => {
    await using folder = await openThrowAwayFolder();
    await makeRun(folder.path, RUN, { writer: gone() });
    const letGo = await holdRun(folder.path, RUN, 'prune');
    const held = await readRunSummary(folder.path, RUN);
    await letGo();
    expect(held).toMatchObject({ liveness: 'dead', writer: gone() });
  });

  it('comes from its writer when somebody has removed the lock', async () => {
    await using folder = await openThrowAwayFolder();
    await makeRun(folder.path, 'living');
    await makeRun(folder.path, 'dead', { writer: gone() });
    await makeRun(folder.path, 'far', { writer: faraway });
    const sights = await readRuns(folder.path);
    expect(sights.map(({ run, liveness }) => [run, liveness])).toEqual([
      ['living', 'alive'],
      ['far', 'unknown'],
      ['dead', 'dead'],
    ]);
  });

  it('comes from the process that resumed it here, if it was started on another machine', async () => {
    await using folder = await openThrowAwayFolder();
    const run = await makeRun(folder.path, RUN, { writer: faraway });
    const { host, bootId, pid, startTime } = gone();
    await appendEvent(run, 2, { type: 'run.resumed', ralph: 'test', writer: { host, boot_id: bootId, pid, start_time: startTime } });
    await forgeLock(folder.path, RUN, gone());
    expect(await readRunSummary(folder.path, RUN)).toMatchObject({ liveness: 'dead', writer: gone() });
  });
});

describe('a hostile run folder', () => {
  it('is reported as unreadable and does no harm', async () => {
    await using folder = await openThrowAwayFolder();
    const at = (run: string, ...path: readonly string[]) => join(folder.path, run, ...path);
    for (const run of ['pipe', 'folder', 'garbage', 'half', 'newer']) await mkdir(at(run));
    execFileSync('mkfifo', [at('pipe', 'journal.jsonl')]);
    await mkdir(at('folder', 'journal.jsonl'));
    await writeFile(at('garbage', 'journal.jsonl'), 'no\nevent\n');
    await makeRun(folder.path, 'half');
    await appendFile(at('half', 'journal.jsonl'), 'no event\n');
    await makeRun(folder.path, 'newer', { after: [] });
    await appendEvent(at('newer'), 2, { type: 'run.stopped', outcome: { stop_reason: 'ascended' } });
    await makeRun(folder.path, 'real');
    await symlink(at('real'), at('link'));
    await makeRun(folder.path, 'locked');
    execFileSync('mkfifo', [join(folder.path, 'locked.lock@3')]);

    const sights = await readRuns(folder.path);
    expect(Object.fromEntries(sights.map((sight) => [sight.run, sight.kind === 'unreadable' ? sight.why : sight.liveness]))).toEqual({
      pipe: 'its journal is not a regular file',
      folder: 'its journal is not a regular file',
      garbage: 'its journal does not begin as one',
      half: 'the last line of its journal is no event',
      newer: 'the last line of its journal is no event',
      link: 'its folder is a link',
      real: 'alive',
      locked: 'unknown',
    });
  });

  it('that is just being created does not count as missing', async () => {
    await using folder = await openThrowAwayFolder();
    await mkdir(join(folder.path, RUN));
    const letGo = await holdRun(folder.path, RUN);
    const beginning = await readRunSummary(folder.path, RUN);
    await letGo();
    await rm(join(folder.path, RUN), { recursive: true });

    expect(beginning).toMatchObject({ kind: 'unreadable', why: 'it has not begun its journal yet', liveness: 'alive' });
    expect(await readRunSummary(folder.path, RUN)).toBeNull();
  });
});
