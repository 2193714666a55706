import { readdir, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRepo } from '../../test/support/repo.ts';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { openScope } from '../kit/async/scope.ts';
import { openWorkspace } from './workspace.ts';

describe('a workspace', () => {
  it('is held by one run at a time, which is named to the next', async () => {
    await using folder = await openThrowAwayFolder();
    await using scope = openScope();
    await (await openWorkspace(folder.path, scope)).hold('first');
    await expect((await openWorkspace(folder.path, scope)).hold('second')).rejects.toMatchObject({
      code: 'workspace-busy',
      exitCode: 4,
      message: expect.stringContaining('run first'),
    });
  });

  it('is free again when its scope ends', async () => {
    await using folder = await openThrowAwayFolder();
    await using first = openScope();
    await (await openWorkspace(folder.path, first)).hold('first');
    await first[Symbol.asyncDispose]();
    await using second = openScope();
    await (await openWorkspace(folder.path, second)).hold('second');
  });

  it('that cannot be released, as on a full disk, spoils no finished work', async () => {
    await using folder = await openThrowAwayFolder();
    const scope = openScope();
    await (await openWorkspace(folder.path, scope)).hold('first');
    await rm(join(folder.path, '.ralph'), { recursive: true });
    await writeFile(join(folder.path, '.ralph'), 'in the way');
    await scope[Symbol.asyncDispose]();
  });

  it.each([true, false])("hides Ralph's files from a repository, even from one that is made later (git: %s)", async (isRepository) => {
    await using repo = await openRepo();
    if (!isRepository) await rm(join(repo.path, '.git'), { recursive: true });
    await using scope = openScope();
    await (await openWorkspace(repo.path, scope)).hold('first');
    if (!isRepository) repo.git('init', '-q');
    expect(repo.git('status', '--porcelain', '--untracked-files=all', '.ralph')).toBe('');
  });

  it('links to its runs, even after the repository was moved', async () => {
    await using repo = await openRepo();
    await using before = openScope();
    await (await openWorkspace(repo.path, before)).hold('first');
    await before[Symbol.asyncDispose]();
    const moved = join(repo.beside, 'moved');
    await rename(repo.path, moved);
    await using after = openScope();
    await (await openWorkspace(moved, after)).hold('second');
    expect(await realpath(join(moved, '.ralph', 'runs'))).toBe(join(moved, '.git', 'ralph', 'runs'));
  });

  it('with a link as .ralph gets nothing written through it', async () => {
    await using repo = await openRepo();
    await symlink(repo.beside, join(repo.path, '.ralph'));
    await using scope = openScope();
    await (await openWorkspace(repo.path, scope)).hold('first');
    expect(await readdir(repo.beside)).toEqual([]);
  });
});
