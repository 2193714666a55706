import { existsSync, readdirSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { superviseSpec } from '../../test/support/supervise-spec.ts';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { openScope } from '../kit/async/scope.ts';
import { lockTask, makeTaskFolder } from './lock-task-folder.ts';

const RUN = 'a-run';

async function hold(taskFolder: string, run = RUN): Promise<void> {
  await using scope = openScope();
  await lockTask(superviseSpec({ folder: taskFolder }), { run, isRestarted: true }, scope);
  expect(existsSync(join(taskFolder, 'runs', `${run}.lock@1`))).toBe(true);
}

describe('taking a task', () => {
  it('creates missing folders, including the root', async () => {
    await using folder = await openThrowAwayFolder();
    const task = join(folder.path, 'new', 'root', 'p', 't');
    await hold(task);
    await hold(task, 'another-run');
  });

  it.each(['p', 'p/t', 'p/t/runs'])('writes nothing through a symbolic link: %s', async (at) => {
    await using folder = await openThrowAwayFolder();
    const [root, elsewhere] = [join(folder.path, 'root'), join(folder.path, 'elsewhere')];
    await mkdir(elsewhere);
    await mkdir(dirname(join(root, at)), { recursive: true });
    await symlink(elsewhere, join(root, at));
    await expect(hold(join(root, 'p/t'))).rejects.toMatchObject({ code: 'folder-not-writable', exitCode: 4 });
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('creates no run folder through a symbolic link', async () => {
    await using folder = await openThrowAwayFolder();
    const [task, elsewhere] = [join(folder.path, 'p/t'), join(folder.path, 'elsewhere')];
    await mkdir(elsewhere);
    await hold(task);
    await symlink(elsewhere, join(task, 'runs', RUN));
    await expect(makeTaskFolder(task, join(task, 'runs', RUN, 'inbox'), 0o700)).rejects.toMatchObject({ code: 'folder-not-writable', exitCode: 4 });
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});
