import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCommitter } from '../../../../test/support/committer.ts';
import { gitEnv } from '../../../../test/support/opened-git.ts';
import { never } from '../../../../test/support/process-request.ts';
import { openRepo, type Repo } from '../../../../test/support/repo.ts';
import { onlyForRoot } from '../../../../test/support/skip-loudly.ts';

const status = (repo: Repo) => repo.git('status', '--porcelain');

/** Commits all files, and checks that the commit has exactly the tree that was looked at and that nothing is left over. */
async function commitAll(repo: Repo, path = repo.path): Promise<string> {
  const committer = await openCommitter(path);
  const request = await committer.wish();
  const commit = () => repo.git('-C', path, 'rev-parse', 'HEAD');
  expect(await committer.git.commit(request, never)).toEqual({ kind: 'made', commit: commit(), tree: request.tree, leftOut: [] });
  expect(repo.git('-C', path, 'status', '--porcelain')).toBe('');
  return commit();
}

describe('a commit works', () => {
  it('in a linked worktree, in a subfolder, and under a name with umlauts and spaces', async () => {
    await using repo = await openRepo();
    const path = join(repo.beside, 'ein schöner Ort');
    repo.git('worktree', 'add', '-q', '-b', 'linked', path);
    await mkdir(join(path, 'sub'));
    await writeFile(join(path, 'new.txt'), 'n\n');
    await writeFile(join(path, 'sub/new.txt'), 'n\n');
    const main = repo.git('rev-parse', 'main');
    await commitAll(repo, join(path, 'sub'));
    expect(repo.git('-C', path, 'ls-tree', '-r', '--name-only', 'HEAD').split('\n')).toEqual(['new.txt', 'readme.txt', 'sub/new.txt']);
    expect(repo.git('rev-parse', 'main')).toBe(main);
  });

  it.each(['sha1', 'sha256'])('as the very first one, with %s', async (format) => {
    await using repo = await openRepo();
    const path = join(repo.beside, 'fresh');
    repo.git('init', '-q', '--object-format', format, path);
    await writeFile(join(path, 'a.txt'), 'a\n');
    await writeFile(join(path, 'b.txt'), 'b\n');
    repo.git('-C', path, 'add', 'a.txt');
    await commitAll(repo, path);
    await writeFile(join(path, 'b.txt'), 'second\n');
    await commitAll(repo, path);
  });

  it('on a detached HEAD, and moves only that', async () => {
    await using repo = await openRepo();
    repo.git('checkout', '-q', '--detach');
    await repo.write('a.txt', 'a\n');
    const commit = await commitAll(repo);
    expect(repo.git('rev-parse', 'HEAD')).toBe(commit);
    expect(repo.git('rev-parse', 'main')).not.toBe(commit);
  });

  it('with Windows line ends and through filters', async () => {
    await using repo = await openRepo({ '.gitattributes': '*.up filter=up\n' });
    repo.git('config', 'core.autocrlf', 'true');
    repo.git('config', 'filter.up.clean', 'tr a-z A-Z');
    await repo.write('a.txt', 'a\r\nb\r\n');
    await repo.write('a.up', 'small\n');
    await commitAll(repo);
    expect(repo.git('show', 'HEAD:a.up')).toBe('SMALL');
    expect(repo.git('cat-file', '-s', 'HEAD:a.txt')).toBe('4');
  });

  it.each(['--no-sparse-index', '--sparse-index'])('in a sparse checkout with %s, and leaves the other files alone', async (kind) => {
    await using repo = await openRepo({ 'in/a.txt': 'a\n', 'out/b.txt': 'b\n', 'out/deep/c.txt': 'c\n' });
    repo.git('sparse-checkout', 'set', '--cone', kind, 'in');
    await repo.write('in/a.txt', 'changed\n');
    await repo.write('in/new.txt', 'n\n');
    await commitAll(repo);
    expect(repo.git('ls-tree', '-r', '--name-only', 'HEAD').split('\n')).toEqual(['in/a.txt', 'in/new.txt', 'out/b.txt', 'out/deep/c.txt']);
    expect(repo.git('ls-files', '-t', 'out').split('\n')).toEqual(['S out/b.txt', 'S out/deep/c.txt']);
  });

  it('with a split index, and leaves it split', async () => {
    await using repo = await openRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    repo.git('config', 'core.splitIndex', 'true');
    repo.git('update-index', '--split-index');
    await repo.write('a.txt', 'changed\n');
    await commitAll(repo);
    expect(repo.git('rev-parse', '--shared-index-path')).toContain('sharedindex');
  });

  it('with files that are only marked to be added, including empty ones, and some that git must not look at', async () => {
    await using repo = await openRepo({ 'a.txt': 'a\n', 'assumed.txt': 'a\n' });
    await repo.write('empty', '');
    await repo.write('full', 'f\n');
    repo.git('add', '--intent-to-add', 'empty', 'full');
    repo.git('update-index', '--assume-unchanged', 'assumed.txt');
    await repo.write('assumed.txt', 'changed\n');
    await commitAll(repo);
    expect(repo.git('ls-tree', '-r', '--name-only', 'HEAD').split('\n')).toEqual(['a.txt', 'assumed.txt', 'empty', 'full']);
    expect(repo.git('show', 'HEAD:assumed.txt')).toBe('a');
    expect(repo.git('ls-files', '-v', 'assumed.txt')).toBe('h assumed.txt');
  });

  it('after a folder became a file, a file became a folder, or everything was removed', async () => {
    await using repo = await openRepo({ 'folder/a.txt': 'a\n', file: 'f\n' });
    await rm(join(repo.path, 'folder'), { recursive: true });
    await rm(join(repo.path, 'file'));
    await repo.write('folder', 'f\n');
    await repo.write('file/a.txt', 'a\n');
    await commitAll(repo);
    await rm(join(repo.path, 'folder'));
    await rm(join(repo.path, 'file'), { recursive: true });
    await commitAll(repo);
    expect(repo.git('ls-tree', '-r', 'HEAD')).toBe('');
  });

  it("and leaves out Ralph's own files", async () => {
    await using repo = await openRepo();
    await repo.write('.git/info/exclude', '.ralph/*\n');
    await repo.write('.ralph/guardrail.log', 'l\n');
    await repo.write('a.txt', 'a\n');
    await commitAll(repo);
    expect(repo.git('ls-tree', '-r', '--name-only', 'HEAD').split('\n')).toEqual(['a.txt', 'readme.txt']);
  });

  it('with a moved submodule, whatever the submodule settings are', async () => {
    await using repo = await openRepo();
    await using library = await openRepo();
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.path, 'library');
    repo.git('commit', '-qm', 'with a library');
    repo.git('config', 'submodule.recurse', 'true');
    repo.git('-C', 'library', 'commit', '-q', '--allow-empty', '-m', 'more');
    await commitAll(repo);
    expect(repo.git('rev-parse', 'HEAD:library')).toBe(repo.git('-C', 'library', 'rev-parse', 'HEAD'));
  });
});

describe('a commit reports what it cannot contain', () => {
  it('such as changes inside a submodule, and a repository without a commit', async () => {
    await using repo = await openRepo();
    await using library = await openRepo();
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.path, 'my library');
    repo.git('config', '-f', '.gitmodules', 'submodule.my library.ignore', 'all');
    repo.git('commit', '-qam', 'with a library');
    await repo.write('my library/readme.txt', 'changed\n');
    repo.git('init', '-q', 'nested');
    await repo.write('nested/file', 'x\n');
    await repo.write('a.txt', 'a\n');
    const committer = await openCommitter(repo.path);
    const request = await committer.wish();
    expect(await committer.git.commit(request, never)).toMatchObject({
      kind: 'made',
      tree: request.tree,
      leftOut: ['nested: a repository of its own without a commit', 'my library: what was changed in this submodule and not committed there'],
    });
    expect(repo.git('-C', 'my library', 'status', '--porcelain')).toBe('M readme.txt');
    expect(status(repo)).toContain('nested/');
  });

  it('such as a nested repository with commits, for example from a generator, but not a submodule', async () => {
    await using repo = await openRepo();
    await using library = await openRepo();
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.path, 'library');
    repo.git('clone', '-q', library.path, 'app');
    const committer = await openCommitter(repo.path);
    expect(await committer.commit()).toMatchObject({ kind: 'made', leftOut: ['app: a repository of its own, whose files are not kept'] });
    await repo.write('a.txt', 'a\n');
    expect(await committer.commit()).toMatchObject({ kind: 'made', leftOut: [] });
  });

  it.skipIf(onlyForRoot('a file that cannot be read'))('such as unreadable files and folders, in at most twenty lines', async () => {
    await using repo = await openRepo();
    const git = join(repo.beside, 'git');
    const names = Array.from({ length: 25 }, (_, i) => `secret ${i + 10}`);
    for (const name of names) await repo.write(name, 's\n', 0o000);
    await mkdir(join(repo.path, 'closed'), { mode: 0o000 });
    await repo.write('a.txt', 'a\n');
    // Root reads everything, unless its capabilities are dropped.
    await writeFile(git, `#!/bin/sh\nPATH='${gitEnv.PATH}' exec setpriv --bounding-set -all --inh-caps -all git "$@"\n`, { mode: 0o755 });
    const committer = await openCommitter(repo.path, { env: { PATH: `${repo.beside}:${gitEnv.PATH}` } });
    const answer = await committer.commit();
    const lines = ['closed: Permission denied', ...names.slice(0, 18).map((name) => `${name}: Permission denied`), 'and 7 more'];
    expect(answer).toMatchObject({ kind: 'made', leftOut: lines });
    expect(repo.git('ls-tree', '-r', '--name-only', 'HEAD').split('\n')).toEqual(['a.txt', 'readme.txt']);
  });
});
