import { execFileSync } from 'node:child_process';
import { appendFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runningWithCommand } from '../../../test/support/live-processes.ts';
import { gitEnv, openedGit, usersTree } from '../../../test/support/opened-git.ts';
import { openRepo } from '../../../test/support/repo.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';
import { openGitCli } from './git-cli.ts';

describe('a snapshot of the working copy', () => {
  it('names tracked and new files, and leaves staged changes as they are', async () => {
    await using repo = await openRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    await repo.write('a.txt', 'staged\n');
    repo.git('add', 'a.txt');
    await repo.write('a.txt', 'and changed again\n');
    await repo.write('new file.txt', 'n\n');
    const before = repo.git('status', '--porcelain');
    const snapshot = await (await openedGit(repo.path)).snapshot();

    expect(snapshot?.dirty.toSorted()).toEqual(['a.txt', 'new file.txt']);
    expect(repo.git('status', '--porcelain')).toBe(before);
    expect(snapshot?.tree).toBe(usersTree(repo));
  });

  it('has the same tree until something changes, and again after the change is reverted', async () => {
    await using repo = await openRepo({ 'a.txt': 'a\n' });
    const git = await openedGit(repo.path);
    const first = await git.snapshot();
    await appendFile(join(repo.path, 'a.txt'), 'more\n');
    expect((await git.snapshot())?.tree).not.toBe(first?.tree);
    await writeFile(join(repo.path, 'a.txt'), 'a\n');
    expect((await git.snapshot())?.tree).toBe(first?.tree);
  });

  it('leaves out ignored files and runs no hook of the repository', async () => {
    await using repo = await openRepo({ '.gitignore': 'ignored\n' });
    await repo.write('ignored', 'x');
    await repo.write('.git/hooks/post-index-change', '#!/bin/sh\ntouch hooked\n', 0o755);
    const git = await openedGit(repo.path);
    expect((await git.snapshot())?.dirty).toEqual([]);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('covers the whole repository from a subdirectory', async () => {
    await using repo = await openRepo({ 'sub/a.txt': 'a\n' });
    await repo.write('top.txt', 't\n');
    expect((await (await openedGit(join(repo.path, 'sub'))).snapshot())?.dirty).toEqual(['top.txt']);
  });

  it('works before the first commit', async () => {
    await using folder = await openThrowAwayFolder();
    await using repo = await openRepo();
    repo.git('init', '-q', folder.path);
    await writeFile(join(folder.path, 'a.txt'), 'a\n');
    expect(await (await openedGit(folder.path)).snapshot()).toMatchObject({ head: null, dirty: ['a.txt'] });
  });

  it('ignores the variables of a git hook', async () => {
    await using repo = await openRepo();
    await using other = await openRepo();
    const git = await openGitCli(repo.path, { ...gitEnv, GIT_DIR: join(other.path, '.git'), GIT_INDEX_FILE: join(other.path, '.git', 'index') });
    expect(git?.topLevel).toBe(repo.path);
  });
});

describe('a tree that cannot be named completely', () => {
  it('leaves out a nested repository without a commit, and reports it', async () => {
    await using repo = await openRepo();
    const git = await openedGit(repo.path);
    await repo.write('zoo.txt', 'z\n');
    const without = await git.tree();
    repo.git('init', '-q', 'nested');
    await repo.write('nested/file', 'x\n');
    expect(await git.snapshot()).toMatchObject({ tree: without, dirty: ['zoo.txt'], problem: expect.stringContaining("'nested/' does not have a commit") });
  });

  it('is null if a required filter fails, and works again after it is repaired', async () => {
    await using repo = await openRepo({ '.gitattributes': '*.big filter=big\n' });
    repo.git('config', 'filter.big.required', 'true');
    repo.git('config', 'filter.big.clean', 'no-such-filter');
    await repo.write('a.big', 'b\n');
    const git = await openedGit(repo.path);
    expect(await git.snapshot()).toMatchObject({
      head: repo.git('rev-parse', 'HEAD'),
      tree: null,
      dirty: [],
      problem: expect.stringContaining('no-such-filter'),
    });
    expect(await git.tree()).toBeNull();
    repo.git('config', 'filter.big.clean', 'cat');
    expect(await git.tree()).toBe(usersTree(repo));
  });

  it('is null while the temporary folder is unusable', async () => {
    await using repo = await openRepo();
    const git = await openedGit(repo.path);
    vi.stubEnv('TMPDIR', join(repo.beside, 'gone'));
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await git.snapshot()).toMatchObject({ tree: null, problem: expect.stringContaining('ENOENT') });
    vi.unstubAllEnvs();
    expect(await git.tree()).toBe(usersTree(repo));
  });
});

describe("a command that the repository's settings name", () => {
  it('ends with the filter that started it', async () => {
    await using repo = await openRepo({ '.gitattributes': '*.f filter=f\n' });
    const length = `${100_000 + process.pid}`;
    repo.git('config', 'filter.f.clean', `(sleep ${length} & setsid sleep ${length} &) > /dev/null 2>&1; cat`);
    await repo.write('a.f', 'x\n');
    const git = await openedGit(repo.path);
    const snapshot = await git.snapshot();
    expect(snapshot).toMatchObject({ dirty: ['a.f'], problem: null });
    expect(runningWithCommand(length)).toEqual([]);
    expect(await git.tree()).toBe(snapshot?.tree);
    expect(runningWithCommand(length)).toEqual([]);
  });

  it('does not run if it is a hook or a file monitor', async () => {
    await using repo = await openRepo();
    const planted = await repo.write('.git/planted', '#!/bin/sh\ntouch planted-ran\n', 0o755);
    await repo.write('.git/hooks/post-index-change', '#!/bin/sh\ntouch planted-ran\n', 0o755);
    repo.git('config', 'core.fsmonitor', planted);
    await repo.write('a.txt', 'x\n');
    expect(await (await openedGit(repo.path)).snapshot()).toMatchObject({ dirty: ['a.txt'] });
    expect(await readdir(repo.path)).not.toContain('planted-ran');
  });
});

describe('opening git', () => {
  it('returns null without a repository, a work tree or git', async () => {
    await using folder = await openThrowAwayFolder();
    await using repo = await openRepo();
    expect(await openGitCli(folder.path, gitEnv)).toBeNull();
    expect(await openGitCli(join(repo.path, '.git'), gitEnv)).toBeNull();
    expect(await openGitCli(repo.path, { ...gitEnv, PATH: folder.path })).toBeNull();
  });

  it('reports why git refuses a repository', async () => {
    await using repo = await openRepo();
    const refused = { code: 'git-refused', exitCode: 4 };
    await expect(openGitCli(repo.path, { ...gitEnv, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' })).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining('dubious ownership'),
      hint: `If you trust it, run: git config --global --add safe.directory ${repo.path}`,
    });
    await writeFile(join(repo.path, '.git', 'config'), '[broken\n');
    await expect(openGitCli(repo.path, gitEnv)).rejects.toMatchObject({ ...refused, message: expect.stringContaining('bad config line 1') });
  });
});

describe('a repository that an agent has broken', () => {
  it.each(['rm -rf .git', 'echo elsewhere > .git/commondir'])('is not mistaken for the repository around it: %s', async (breaks) => {
    await using around = await openRepo();
    const inner = join(around.path, 'inner');
    around.git('init', '-q', inner);
    await around.write('inner/a.txt', 'a\n');
    const git = await openedGit(inner);
    expect(await git.tree()).not.toBeNull();
    execFileSync('sh', ['-c', breaks], { cwd: inner });
    expect(await git.tree()).toBeNull();
  });
});
