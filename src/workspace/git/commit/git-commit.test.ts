import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCommitter } from '../../../../test/support/committer.ts';
import { deepIt } from '../../../../test/support/deep.ts';
import { gitEnv } from '../../../../test/support/opened-git.ts';
import { never } from '../../../../test/support/process-request.ts';
import { openRepo, type Repo } from '../../../../test/support/repo.ts';

const status = (repo: Repo) => repo.git('status', '--porcelain');
const headOf = (repo: Repo) => repo.git('rev-parse', 'HEAD');

describe('a commit of the seen tree', () => {
  it('contains exactly that tree, whatever was staged, and leaves nothing over', async () => {
    await using repo = await openRepo({ 'a.txt': 'a\n', 'gone.txt': 'g\n', 'kept.txt': 'k\n' });
    await repo.write('a.txt', 'staged\n');
    await repo.write('staged only.txt', 's\n');
    repo.git('add', '-A');
    await repo.write('a.txt', 'changed again\n');
    await repo.write('füße/neu datei.txt', 'n\n');
    repo.git('rm', '-q', '--cached', 'kept.txt');
    repo.git('rm', '-q', 'gone.txt');
    const parent = headOf(repo);
    const committer = await openCommitter(repo.path);
    const request = await committer.wish();
    expect(await committer.git.commit(request, never)).toEqual({ kind: 'made', commit: headOf(repo), tree: request.tree, leftOut: [] });
    expect(repo.git('rev-parse', 'HEAD^')).toBe(parent);
    expect(repo.git('rev-parse', 'HEAD^{tree}')).toBe(request.tree);
    expect(repo.git('show', 'HEAD:a.txt')).toBe('changed again');
    expect(status(repo)).toBe('');
  });

  it('leaves the files that gates changed as they are', async () => {
    await using repo = await openRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const committer = await openCommitter(repo.path);
    await repo.write('a.txt', 'work\n');
    const wish = await committer.wish();
    await repo.write('report.txt', 'r\n');
    await repo.write('b.txt', 'formatted\n');
    const treeAfter = await committer.git.tree();
    const answer = await committer.git.commit({ ...wish, treeAfter: treeAfter ?? '' }, never);
    expect(answer).toMatchObject({ kind: 'made', tree: wish.tree });
    expect(repo.git('show', 'HEAD:b.txt')).toBe('b');
    expect(status(repo).split('\n')).toEqual(['M b.txt', '?? report.txt']);
  });

  it.each([
    ['-a adds no file that the gates left', ['-a'], 'as wished'],
    ['--edit opens no editor', ['--edit'], 'as wished'],
    ['--signoff adds a line', ['--signoff'], 'as wished\n\nSigned-off-by: Loop <l@example.com>'],
  ])("applies the operator's flags: %s", async (_name, flags, message) => {
    await using repo = await openRepo({ 'a.txt': 'a\n' });
    const committer = await openCommitter(repo.path);
    await repo.write('new.txt', 'work\n');
    const wish = await committer.wish({ flags });
    await repo.write('a.txt', 'formatted\n');
    expect(await committer.git.commit({ ...wish, treeAfter: (await committer.git.tree()) ?? '' }, never)).toMatchObject({ kind: 'made', tree: wish.tree });
    expect(repo.git('log', '-1', '--format=%B')).toBe(message);
  });

  it("uses the operator's own git command", async () => {
    await using repo = await openRepo();
    const committer = await openCommitter(repo.path, { env: { GIT_AUTHOR_NAME: '', GIT_COMMITTER_NAME: '' } });
    await repo.write('a.txt', 'a\n');
    expect(await committer.commit()).toMatchObject({ kind: 'failed', detail: expect.stringContaining('git knows no author') });
    // Empty names in the environment override all settings, so they are set there.
    const named = ['env', 'GIT_AUTHOR_NAME=Somebody', 'GIT_COMMITTER_NAME=Somebody', 'git', '-c', 'core.quotePath=false'];
    expect(await committer.commit({ git: named })).toMatchObject({ kind: 'made' });
    expect(repo.git('log', '-1', '--format=%an')).toBe('Somebody');
    await repo.write('a.txt', 'b\n');
    expect(await committer.commit({ git: ['no-such-git'] })).toMatchObject({ kind: 'failed', detail: expect.stringContaining('no-such-git') });
    expect(await committer.commit({ git: ['true'] })).toMatchObject({ kind: 'failed', detail: expect.stringContaining('no such commit') });
  });

  it('ignores the variables of a git hook', async () => {
    await using repo = await openRepo();
    await using other = await openRepo();
    const there = join(other.path, '.git');
    const env = { GIT_DIR: there, GIT_INDEX_FILE: join(there, 'index'), GIT_WORK_TREE: other.path, GIT_EDITOR: 'sleep 1000', GIT_PREFIX: 'x/' };
    const before = headOf(other);
    await repo.write('a.txt', 'a\n');
    expect(await (await openCommitter(repo.path, { env })).commit()).toMatchObject({ kind: 'made', commit: headOf(repo) });
    expect(headOf(other)).toBe(before);
  });
});

describe('a commit message arrives unchanged', () => {
  it.each([
    ['a command', '$(rm -rf .) `touch x`; rm -rf . && $HOME "%s" \'q\''],
    ['an option', '--amend --no-verify'],
    ['a dash', '-'],
    ['quotes and a backslash at the end', '"it\'s" \\'],
    ['lines that look like comments', '# title\n\n# body\n; other\n'],
    ['blank lines and spaces', '  indented  \n\n\n\n  body\t\n'],
    ['blank lines at the beginning', '\n\nbody'],
    ['Windows line ends', 'a\r\nb\r\n'],
    ['scissors', 'a\n# ------------------------ >8 ------------------------\nb'],
    ['trailers', 'a\n\nSigned-off-by: x\n\ud83d\ude00 Ünïcödé 漢字'],
    ['half of a surrogate pair', 'a \ud83d b'],
    ['5,000 characters', 'ü'.repeat(5_000)],
  ])('%s', async (_name, message) => {
    await using repo = await openRepo();
    const settings = {
      'commit.cleanup': 'scissors',
      'core.commentChar': ';',
      'i18n.commitEncoding': 'ISO-8859-1',
      'commit.template': 'readme.txt',
      'commit.verbose': 'true',
    };
    for (const [name, value] of Object.entries(settings)) repo.git('config', name, value);
    const committer = await openCommitter(repo.path);
    await repo.write('a.txt', 'a\n');
    const request = await committer.wish({ message });
    expect(await committer.git.commit(request, never)).toMatchObject({ kind: 'made', tree: request.tree });
    const raw = repo.git('cat-file', 'commit', 'HEAD');
    expect(raw.slice(raw.indexOf('\n\n') + 2).trimEnd()).toBe(Buffer.from(message).toString().trimEnd());
    expect(raw).not.toContain('\nencoding ');
    expect(await committer.git.findCommit({ ...request, tree: 'another' })).toMatchObject({ commit: headOf(repo) });
  });

  it('or the commit fails', async () => {
    await using repo = await openRepo();
    const before = headOf(repo);
    const committer = await openCommitter(repo.path);
    await repo.write('a.txt', 'a\n');
    expect(await committer.commit({ message: 'a\0b' })).toMatchObject({ kind: 'failed', detail: expect.stringContaining('NUL') });
    expect(await committer.commit({ message: 'x'.repeat(3_000_000) })).toMatchObject({ kind: 'failed', detail: expect.stringContaining('too long') });
    expect(headOf(repo)).toBe(before);
  });
});

describe('nothing is committed', () => {
  it('if HEAD has moved', async () => {
    await using repo = await openRepo();
    const committer = await openCommitter(repo.path);
    await repo.write('a.txt', 'a\n');
    const request = await committer.wish();
    repo.git('commit', '-q', '--allow-empty', '-m', 'somebody else');
    const before = headOf(repo);
    const detail = `HEAD was at ${request.parent?.slice(0, 12)} and is at ${before.slice(0, 12)} now`;
    expect(await committer.git.commit(request, never)).toEqual({ kind: 'changed', detail });
    expect(await committer.git.commit({ ...request, parent: null }, never)).toMatchObject({ kind: 'changed', detail: expect.stringContaining('at no commit') });
    expect(headOf(repo)).toBe(before);
  });

  it('if the files have changed since they were looked at, and the index stays as it was', async () => {
    await using repo = await openRepo({ 'a.txt': 'a\n' });
    const committer = await openCommitter(repo.path);
    await repo.write('a.txt', 'b\n');
    const wish = await committer.wish();
    for (const name of ['d\n1', 'd2', 'd3', 'd4']) await repo.write(name, 'x\n');
    const before = status(repo);
    const answer = await committer.git.commit(wish, never);
    expect(answer).toEqual({ kind: 'changed', detail: 'the working copy was changed after the gates: d 1, d2, d3 and 1 more' });
    expect(status(repo)).toBe(before);
  });

  it('if there is nothing to commit', async () => {
    await using repo = await openRepo();
    expect(await (await openCommitter(repo.path)).commit()).toMatchObject({ kind: 'failed', detail: expect.stringContaining('nothing to commit') });
  });

  it('during a merge, whose second parent would be lost', async () => {
    await using repo = await openRepo();
    repo.git('checkout', '-q', '-b', 'side');
    repo.git('commit', '-q', '--allow-empty', '-m', 'side');
    repo.git('checkout', '-q', 'main');
    repo.git('commit', '-q', '--allow-empty', '-m', 'main');
    repo.git('merge', '-q', '--no-commit', 'side');
    await repo.write('a.txt', 'a\n');
    expect(await (await openCommitter(repo.path)).commit()).toMatchObject({ kind: 'failed', detail: expect.stringContaining('a merge is under way') });
  });

  deepIt('it waits for the whole time limit of ten seconds')('while another git holds the lock, which is reported and left alone', async () => {
    await using repo = await openRepo();
    await repo.write('a.txt', 'a\n');
    const lock = await repo.write('.git/index.lock', '');
    const committer = await openCommitter(repo.path);
    expect(await committer.commit()).toEqual({ kind: 'failed', detail: `another git holds ${lock}, or died with it: if none runs, remove that file` });
    await writeFile(lock, '', { flag: 'r+' });
  });

  it('while a branch is locked, and the index is free afterwards', async () => {
    await using repo = await openRepo();
    await repo.write('a.txt', 'a\n');
    await repo.write('.git/refs/heads/main.lock', '');
    const committer = await openCommitter(repo.path);
    expect(await committer.commit()).toMatchObject({ kind: 'failed', detail: expect.stringMatching(/^fatal: .*main\.lock': File exists/) });
    expect(status(repo)).toBe('?? a.txt');
  });

  it('if it cannot be signed', async () => {
    await using repo = await openRepo();
    repo.git('config', 'commit.gpgSign', 'true');
    repo.git('config', 'user.signingKey', 'ABCDEF0123456789');
    await repo.write('a.txt', 'a\n');
    const committer = await openCommitter(repo.path, { env: { GNUPGHOME: repo.beside, PATH: gitEnv.PATH } });
    expect(await committer.commit()).toMatchObject({ kind: 'failed', detail: expect.stringContaining('gpg failed to sign the data') });
    expect(await committer.commit({ git: ['git', '-c', 'commit.gpgSign=false'] })).toMatchObject({ kind: 'made' });
  });

  it('if the repository is unreadable, or no longer has the tree', async () => {
    await using repo = await openRepo();
    const committer = await openCommitter(repo.path);
    await repo.write('a.txt', 'a\n');
    const wish = await committer.wish();
    repo.git('prune', '--expire=now');
    expect(await committer.git.commit(wish, never)).toMatchObject({ kind: 'failed', detail: expect.stringMatching(/^fatal: .*unpack tree object/) });
    await writeFile(join(repo.path, '.git/config'), '[broken\n');
    expect(await committer.git.commit(wish, never)).toMatchObject({ kind: 'failed', detail: expect.stringContaining('bad config line 1') });
  });

  it('if it is cancelled before it starts', async () => {
    await using repo = await openRepo();
    await repo.write('a.txt', 'a\n');
    const answer = await (await openCommitter(repo.path)).commit({}, AbortSignal.abort(new Error('enough')));
    expect(answer).toEqual({ kind: 'failed', detail: 'cancelled: enough' });
  });
});
