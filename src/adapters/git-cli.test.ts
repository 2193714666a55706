import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRepo } from '../../test/support/repo.ts';
import { openThrowAwayFolder } from '../../test/support/throw-away-folder.ts';
import { openGitCli } from './git-cli.ts';

const env = { PATH: process.env['PATH'] ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

async function opened(path: string) {
  const git = await openGitCli(path, env);
  if (!git) throw new Error('no repository');
  return git;
}

describe('a snapshot of the working copy', () => {
  it('names tracked and new files, and leaves what the user has staged as it is', async () => {
    await using repo = await openRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    await repo.write('a.txt', 'staged\n');
    repo.git('add', 'a.txt');
    await repo.write('a.txt', 'and changed again\n');
    await repo.write('new file.txt', 'n\n');
    const before = repo.git('status', '--porcelain');
    const snapshot = await (await opened(repo.path)).snapshot();

    expect(snapshot?.dirty.toSorted()).toEqual(['a.txt', 'new file.txt']);
    expect(repo.git('show', `${snapshot?.tree}:a.txt`)).toBe('and changed again');
    expect(repo.git('show', `${snapshot?.tree}:new file.txt`)).toBe('n');
    expect(repo.git('status', '--porcelain')).toBe(before);
  });

  it('is the same tree until something changes, and the same again when it is put back', async () => {
    await using repo = await openRepo({ 'a.txt': 'a\n' });
    const git = await opened(repo.path);
    const first = await git.snapshot();
    await appendFile(join(repo.path, 'a.txt'), 'more\n');
    expect((await git.snapshot())?.tree).not.toBe(first?.tree);
    await writeFile(join(repo.path, 'a.txt'), 'a\n');
    expect((await git.snapshot())?.tree).toBe(first?.tree);
  });

  it('leaves ignored files out and runs no hook that was planted', async () => {
    await using repo = await openRepo({ '.gitignore': 'ignored\n' });
    await repo.write('ignored', 'x');
    await repo.write('.git/hooks/post-index-change', '#!/bin/sh\ntouch hooked\n', 0o755);
    const git = await opened(repo.path);
    expect((await git.snapshot())?.dirty).toEqual([]);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('works in a subdirectory, for the whole repository', async () => {
    await using repo = await openRepo({ 'sub/a.txt': 'a\n' });
    await repo.write('top.txt', 't\n');
    expect((await (await opened(join(repo.path, 'sub'))).snapshot())?.dirty).toEqual(['top.txt']);
  });

  it('works before the first commit', async () => {
    await using folder = await openThrowAwayFolder();
    await using repo = await openRepo();
    repo.git('init', '-q', folder.path);
    await writeFile(join(folder.path, 'a.txt'), 'a\n');
    expect(await (await opened(folder.path)).snapshot()).toMatchObject({ head: null, dirty: ['a.txt'] });
  });

  it('is not led astray by the variables of a git hook', async () => {
    await using repo = await openRepo();
    await using other = await openRepo();
    const git = await openGitCli(repo.path, { ...env, GIT_DIR: join(other.path, '.git'), GIT_INDEX_FILE: join(other.path, '.git', 'index') });
    expect(git?.topLevel).toBe(repo.path);
  });

  it('does not exist where there is no repository', async () => {
    await using folder = await openThrowAwayFolder();
    expect(await openGitCli(folder.path, env)).toBeNull();
  });
});
