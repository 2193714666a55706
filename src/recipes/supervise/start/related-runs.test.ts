import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { childRequest } from '../../../../test/contracts/children.ts';
import { forgeLock, gone, holdRun, makeRun, ofTask, us } from '../../../../test/support/made-runs.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../../../test/support/throw-away-folder.ts';
import type { ProcessIdentity } from '../../../process/process-request.ts';
import type { SuperviseSpec } from '../../../settings/schema/run-settings.ts';
import { saveRequest } from '../children/child-place.ts';
import { openRelatedRuns } from './related-runs.ts';

let root: ThrowAwayFolder;
beforeEach(async () => {
  root = await openThrowAwayFolder();
});
afterEach(() => root[Symbol.asyncDispose]());

const runsOf = (task: string) => join(root.path, task, 'runs');

interface Made {
  readonly task?: string;
  readonly parent?: string | null;
  readonly holder?: ProcessIdentity | null;
}

/** A run below the root, active by default. */
async function run(name: string, { task = 'p/ours', parent = null, holder = us() }: Made = {}): Promise<string> {
  await mkdir(runsOf(task), { recursive: true });
  const folder = await makeRun(runsOf(task), name, { settings: ofTask({ parent }, 'job') });
  if (holder) await forgeLock(runsOf(task), name, holder);
  return folder;
}

function kin(runId: string, scope: 'own' | 'task' | 'project', over: Partial<SuperviseSpec> = {}) {
  const { supervise } = ofTask({ project: 'p', task: 'ours', folder: join(root.path, 'p/ours'), ...over });
  if (!supervise) throw new Error('It has no task.');
  const active = openRelatedRuns(supervise, runId, scope);
  return async () => Object.fromEntries((await active()).map(({ run, isOurs }) => [run, isOurs ? 'ours' : "another's"]));
}

describe('the runs of a task', () => {
  it('are ours when they descend from us, through any number of others, active or not', async () => {
    await run('us');
    await run('child', { parent: 'us' });
    await run('over', { parent: 'us', holder: gone() });
    await run('grandchild', { parent: 'over' });
    await run('by-hand');
    expect(await kin('us', 'task')()).toEqual({ child: 'ours', grandchild: 'ours' });
  });

  it('belong to another run as long as any of their ancestors is active, in any task or project', async () => {
    await run('us');
    await run('beside', { task: 'p/theirs' });
    await run('over', { task: 'p/theirs', parent: 'beside', holder: gone() });
    await run('abroad', { task: 'q/theirs' });
    await run('of-beside', { parent: 'beside' });
    await run('of-over', { parent: 'over' });
    await run('of-abroad', { parent: 'abroad' });
    await run('by-hand');
    await run('of-by-hand', { parent: 'by-hand' });
    await run('below', { parent: 'of-beside' });
    expect(await kin('us', 'task')()).toEqual(
      Object.fromEntries(['of-beside', 'of-over', 'of-abroad', 'of-by-hand', 'below'].map((name) => [name, "another's"])),
    );
  });

  it('are ours when no other responsible run is left', async () => {
    await run('us');
    await run('dead', { task: 'p/theirs', holder: gone() });
    await run('of-dead', { parent: 'dead' });
    await run('of-nobody', { parent: 'never-heard-of' });
    await run('of-a-trap', { parent: '../../../p/theirs/runs/dead' });
    await run('below', { parent: 'of-dead' });
    expect(await kin('us', 'task')()).toEqual({ 'of-dead': 'ours', 'of-nobody': 'ours', 'of-a-trap': 'ours', below: 'ours' });
  });

  it('become ours when the last responsible run releases its lock, and do not belong to a process that only removes it', async () => {
    await run('us');
    await run('beside', { task: 'p/theirs', holder: null });
    await run('of-beside', { parent: 'beside' });
    const active = kin('us', 'task');
    const letGo = await holdRun(runsOf('p/theirs'), 'beside');
    const before = await active();
    await letGo();
    const after = await active();
    const prune = await holdRun(runsOf('p/theirs'), 'beside', 'prune');
    const pruned = await active();
    await prune();
    expect([before, after, pruned]).toEqual([{ 'of-beside': "another's" }, { 'of-beside': 'ours' }, { 'of-beside': 'ours' }]);
  });

  it('that name each other as parent keep no run busy', async () => {
    await run('one', { parent: 'other' });
    await run('other', { parent: 'one' });
    expect(await kin('us', 'task')()).toEqual({ one: 'ours', other: 'ours' });
  });
});

describe('the runs of a job', () => {
  it('are its own in its task, and in the tasks for which it requested others', async () => {
    const folder = await run('job');
    await run('here', { parent: 'job' });
    await run('stranger', { parent: 'nobody' });
    await run('there', { task: 'p/there', parent: 'here' });
    const active = kin('job', 'own');
    const before = await active();
    await saveRequest(folder, { ...childRequest('there', 'ends at once'), task: 'there' });
    expect([before, await active()]).toEqual([{ here: 'ours' }, { here: 'ours', there: 'ours' }]);
  });

  it('may have been requested over the socket of an ancestor of the job', async () => {
    const above = await run('above', { task: 'p/above' });
    await run('job', { parent: 'above' });
    await run('there', { task: 'p/there', parent: 'job' });
    await run('up', { task: 'p/above', parent: 'job' });
    await saveRequest(above, { ...childRequest('there', 'ends at once'), task: 'there' });
    await saveRequest(above, { ...childRequest('up', 'ends at once'), task: null });
    expect(await kin('job', 'own', { parent: 'above' })()).toEqual({ there: 'ours', up: 'ours' });
  });

  it('are not searched where a forged request points to', async () => {
    const folder = await run('job');
    await run('away', { task: 'away', parent: 'job' });
    const kept = join(folder, 'children', 'away');
    await mkdir(kept, { recursive: true });
    await writeFile(join(kept, 'request.json'), JSON.stringify({ ...childRequest('away', 'ends at once'), task: '../away' }));
    expect(await kin('job', 'own')()).toEqual({});
  });
});

describe('the runs of a project', () => {
  it('are those of the task, and our own in the others', async () => {
    await run('child', { parent: 'us' });
    await run('orphan', { parent: 'nobody' });
    await run('there', { task: 'p/there', parent: 'us' });
    await run('not-ours', { task: 'p/there', parent: 'nobody' });
    expect(await kin('us', 'project')()).toEqual({ child: 'ours', orphan: 'ours', there: 'ours' });
  });
});
