import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { type RunFilter, runsFoldersAround } from './runs-folders.ts';

async function folders(where: Partial<RunFilter> = {}, env: (cwd: string) => Record<string, string> = () => ({})): Promise<readonly string[]> {
  await using folder = await openThrowAwayFolder();
  const cwd = folder.path;
  for (const task of ['.ralph/tasks/house/roof', '.ralph/tasks/house/door', '.ralph/tasks/boat/roof', 'far/p/t']) {
    await mkdir(join(cwd, task, 'runs'), { recursive: true });
  }
  await symlink(join(cwd, 'far/p'), join(cwd, '.ralph/tasks/link'));
  const found = await runsFoldersAround(cwd, { git: null, env: env(cwd) }, { root: null, project: null, task: null, ...where });
  return found.map((path) => path.slice(cwd.length + 1));
}

const TASKS = ['.ralph/tasks/boat/roof/runs', '.ralph/tasks/house/door/runs', '.ralph/tasks/house/roof/runs'];

describe('the folders with runs', () => {
  it('are the home and every task of this directory, but none behind a link', async () => {
    expect((await folders()).toSorted()).toEqual(['.ralph/runs', ...TASKS].sort());
  });

  it('include, for an agent, those of the root it works in', async () => {
    const found = await folders({}, (cwd) => ({ RALPH_RUNS_DIR: join(cwd, 'far/p/t/runs') }));
    expect(found.toSorted()).toEqual(['.ralph/runs', ...TASKS, 'far/p/t/runs'].sort());
  });

  it('are the same from a subfolder, with git and without', async () => {
    await using folder = await openThrowAwayFolder();
    const sub = join(folder.path, 'src', 'deep');
    for (const path of ['.ralph/tasks/house/roof/runs', '.ralph/runs', 'src/deep']) await mkdir(join(folder.path, path), { recursive: true });
    const found = () => runsFoldersAround(sub, { git: null, env: {} });
    const expected = ['.ralph/runs', '.ralph/tasks/house/roof/runs'].map((path) => join(folder.path, path));
    expect(await found()).toEqual(expect.arrayContaining(expected));
    await mkdir(join(folder.path, '.git', 'HEAD'), { recursive: true });
    expect(await found()).toEqual(expect.arrayContaining(expected));
  });

  it('are each listed once', async () => {
    expect(await folders({}, (cwd) => ({ RALPH_RUNS_DIR: join(cwd, '.ralph/tasks/house/roof/runs') }))).toHaveLength(4);
  });

  it.each([
    ['a root', { root: 'far' }, ['far/p/t/runs']],
    ['a project', { project: 'house' }, TASKS.slice(1)],
    ['a task', { task: 'roof' }, [TASKS[0], TASKS[2]]],
    ['what leads out of the root', { project: '..', task: 'far' }, []],
    ['a root that is not there', { root: 'nowhere' }, []],
  ])('can be narrowed down to %s', async (_name, where, expected) => {
    expect((await folders(where)).toSorted()).toEqual(expected);
  });
});
