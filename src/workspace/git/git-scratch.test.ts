import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openedGit, usersTree } from '../../../test/support/opened-git.ts';
import { openRepo, type Repo } from '../../../test/support/repo.ts';
import { openThrowAwayFolder, type ThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';

/** An empty temporary folder for the time of the test. */
async function temporaryFolder(): Promise<ThrowAwayFolder> {
  const folder = await openThrowAwayFolder();
  vi.stubEnv('TMPDIR', folder.path);
  onTestFinished(() => void vi.unstubAllEnvs());
  return folder;
}

/** Every file of the repository's own folder. */
async function filesOfGit(repo: Repo): Promise<readonly string[]> {
  return (await readdir(join(repo.path, '.git'), { recursive: true })).toSorted();
}

describe('the tree of the working copy', () => {
  it('is that of the snapshot, however often it is asked for', async () => {
    await using repo = await openRepo({ 'a.txt': 'a\n', 'deep/er/b.txt': 'b\n' });
    await repo.write('new/c.txt', 'c\n');
    const git = await openedGit(repo.path);
    const trees = [(await git.snapshot())?.tree, await git.tree(), await git.tree()];
    expect(trees).toEqual(Array(3).fill(usersTree(repo)));
  });

  it('changes when the operator stages an ignored file', async () => {
    await using repo = await openRepo({ '.gitignore': 'ignored\n' });
    await repo.write('ignored', 'x\n');
    const git = await openedGit(repo.path);
    const before = await git.tree();
    repo.git('add', '--force', 'ignored');
    const after = await git.tree();
    expect(after).not.toBe(before);
    expect(after).toBe(usersTree(repo));
  });

  it('sees a change of the same size in the second in which the index was written', async () => {
    await using repo = await openRepo({ 'a.txt': 'a\n' });
    const file = join(repo.path, 'a.txt');
    const now = Math.floor(Date.now() / 1000);
    await utimes(file, now, now);
    repo.git('update-index', '--refresh');
    await utimes(join(repo.path, '.git', 'index'), now, now);
    await writeFile(file, 'b\n');
    await utimes(file, now, now);
    expect(await (await openedGit(repo.path)).tree()).toBe(usersTree(repo));
  });

  it('writes nothing into the repository, and closing leaves nothing behind', async () => {
    await using repo = await openRepo();
    await using tmp = await temporaryFolder();
    await repo.write('new.txt', 'n'.repeat(100_000));
    const before = await filesOfGit(repo);
    const git = await openedGit(repo.path);
    await git.snapshot();
    await git.tree();
    expect(await filesOfGit(repo)).toEqual(before);
    expect(await readdir(tmp.path)).toHaveLength(1);
    await git[Symbol.asyncDispose]();
    expect(await readdir(tmp.path)).toEqual([]);
  });
});

describe('a tree can be named', () => {
  it('in a linked worktree', async () => {
    await using repo = await openRepo();
    const path = join(repo.beside, 'linked');
    repo.git('worktree', 'add', '-q', path);
    await writeFile(join(path, 'new.txt'), 'n\n');
    expect(await (await openedGit(path)).snapshot()).toMatchObject({ dirty: ['new.txt'], problem: null });
  });

  it('in a shallow clone and in one that borrows its objects by a relative path', async () => {
    await using repo = await openRepo({ 'a/b.txt': 'b\n' });
    repo.git('clone', '-q', '--depth', '1', `file://${repo.path}`, join(repo.beside, 'shallow'));
    repo.git('clone', '-q', '--shared', repo.path, join(repo.beside, 'borrows'));
    await writeFile(join(repo.beside, 'borrows/.git/objects/info/alternates'), '../../../../repo/.git/objects\n');
    for (const name of ['shallow', 'borrows']) {
      const path = join(repo.beside, name);
      await writeFile(join(path, 'a/new.txt'), 'n\n');
      expect(await (await openedGit(path)).snapshot()).toMatchObject({ dirty: ['a/new.txt'], problem: null });
    }
  });

  it('in a folder whose name contains the path delimiter', async () => {
    await using repo = await openRepo();
    const path = join(repo.beside, 'a:b "c"');
    repo.git('clone', '-q', repo.path, path);
    await writeFile(join(path, 'new.txt'), 'n\n');
    expect(await (await openedGit(path)).snapshot()).toMatchObject({ dirty: ['new.txt'], problem: null });
  });

  it('with a split index, which stays unchanged', async () => {
    await using repo = await openRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    repo.git('update-index', '--split-index');
    repo.git('config', 'core.splitIndex', 'true');
    await repo.write('new.txt', 'n\n');
    const before = await filesOfGit(repo);
    const tree = await (await openedGit(repo.path)).tree();
    expect(await filesOfGit(repo)).toEqual(before);
    expect(tree).toBe(usersTree(repo));
  });

  it('in a sparse checkout, including what is not checked out', async () => {
    await using repo = await openRepo({ 'in/a.txt': 'a\n', 'out/b.txt': 'b\n' });
    repo.git('sparse-checkout', 'set', 'in');
    await repo.write('in/new.txt', 'n\n');
    const snapshot = await (await openedGit(repo.path)).snapshot();
    expect(snapshot).toMatchObject({ dirty: ['in/new.txt'], problem: null });
    expect(snapshot?.tree).toBe(usersTree(repo));
  });

  it('with a submodule, by its commit', async () => {
    await using repo = await openRepo();
    await using library = await openRepo();
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.path, 'library');
    repo.git('commit', '-qm', 'with a library');
    const git = await openedGit(repo.path);
    const before = await git.tree();
    expect(before).toBe(repo.git('rev-parse', 'HEAD^{tree}'));
    repo.git('-C', 'library', 'commit', '-q', '--allow-empty', '-m', 'more');
    expect(await git.tree()).not.toBe(before);
    expect(await git.tree()).toBe(usersTree(repo));
  });

  it('through the filters of the repository', async () => {
    await using repo = await openRepo({ '.gitattributes': '*.up filter=up\n' });
    repo.git('config', 'filter.up.clean', 'tr a-z A-Z');
    await repo.write('a.up', 'small\n');
    const tree = await (await openedGit(repo.path)).tree();
    expect(tree).toBe(usersTree(repo));
    expect(repo.git('show', `${tree}:a.up`)).toBe('SMALL');
  });
});
