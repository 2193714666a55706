import { existsSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCommitter } from '../../../../test/support/committer.ts';
import { never } from '../../../../test/support/process-request.ts';
import { openRepo, type Repo } from '../../../../test/support/repo.ts';
import { until } from '../../../../test/support/until.ts';

/** A repository whose index differs from its files, with a hook. */
async function stagedWithCare(script: string, hook = 'pre-commit'): Promise<Repo> {
  const repo = await openRepo({ 'a.txt': 'a\n', 'gone.txt': 'g\n' });
  await repo.write(`.git/hooks/${hook}`, `#!/bin/sh\n${script}\n`, 0o755);
  await repo.write('a.txt', 'staged\n');
  repo.git('add', 'a.txt');
  await repo.write('a.txt', 'in the file\n');
  repo.git('rm', '-q', '--cached', 'gone.txt');
  await repo.write('meant.txt', 'm\n');
  repo.git('add', '-N', 'meant.txt');
  await repo.write('new.txt', 'n\n');
  return repo;
}

const indexOf = (repo: Repo) => readFile(join(repo.path, '.git/index'));
const STATUS = ['MM a.txt', 'D  gone.txt', ' A meant.txt', '?? gone.txt', '?? new.txt'];
const statusOf = (repo: Repo) => repo.git('-c', 'core.quotePath=false', 'status', '--porcelain').split('\n');

describe('a failed commit leaves the index as it was', () => {
  it.each([
    ['a hook refuses', 'exit 1'],
    ['a hook has changed a file and staged it, and refuses', 'echo formatted > other.txt; git add other.txt; exit 1'],
    ['a hook hangs', 'sleep 1000'],
    ['git is killed', 'kill -9 $PPID'],
    ['a hook refuses the message', 'exit 1', 'commit-msg'],
  ])('if %s', async (_name, script, hook = 'pre-commit') => {
    await using repo = await stagedWithCare(script, hook);
    const before = await indexOf(repo);
    const mode = (await stat(join(repo.path, '.git/index'))).mode;
    expect(await (await openCommitter(repo.path)).commit({ timeoutMs: 3_000 })).toMatchObject({ kind: 'failed' });
    expect(await indexOf(repo)).toEqual(before);
    expect((await stat(join(repo.path, '.git/index'))).mode).toBe(mode);
    expect(existsSync(join(repo.path, '.git/index.lock'))).toBe(false);
    expect(repo.git('show', ':a.txt')).toBe('staged');
    expect(await readFile(join(repo.path, 'a.txt'), 'utf8')).toBe('in the file\n');
    expect(statusOf(repo)).toEqual(expect.arrayContaining(STATUS));
  });

  it('if it is cancelled', async () => {
    await using repo = await stagedWithCare('touch .git/begun; sleep 1000');
    const before = await indexOf(repo);
    const cancelling = new AbortController();
    const answer = (await openCommitter(repo.path)).commit({}, cancelling.signal);
    await until('the hook runs', () => existsSync(join(repo.path, '.git/begun')));
    cancelling.abort(new Error('enough'));
    expect(await answer).toEqual({ kind: 'failed', detail: 'cancelled: enough' });
    expect(await indexOf(repo)).toEqual(before);
  });

  it('if there was none', async () => {
    await using repo = await openRepo();
    repo.git('init', '-q', join(repo.beside, 'fresh'));
    await repo.write('../beside/fresh/a.txt', 'a\n');
    await repo.write('../beside/fresh/.git/hooks/pre-commit', '#!/bin/sh\nexit 1\n', 0o755);
    expect(await (await openCommitter(join(repo.beside, 'fresh'))).commit()).toMatchObject({ kind: 'failed' });
    expect(existsSync(join(repo.beside, 'fresh/.git/index'))).toBe(false);
    expect(existsSync(join(repo.beside, 'fresh/.git/index.lock'))).toBe(false);
  });

  it('and keeps it split', async () => {
    await using repo = await stagedWithCare('exit 1');
    repo.git('update-index', '--split-index');
    repo.git('config', 'core.splitIndex', 'true');
    const before = await indexOf(repo);
    expect(await (await openCommitter(repo.path)).commit()).toMatchObject({ kind: 'failed' });
    expect(await indexOf(repo)).toEqual(before);
    expect(statusOf(repo)).toEqual(expect.arrayContaining(STATUS));
  });

  it('and the next look and the next commit see the current files', async () => {
    await using repo = await stagedWithCare('[ -e .git/ready ] || exit 1');
    const committer = await openCommitter(repo.path);
    const request = await committer.wish();
    expect(await committer.git.commit(request, never)).toMatchObject({ kind: 'failed' });
    expect(await committer.git.tree()).toBe(request.tree);
    await repo.write('.git/ready', '');
    expect(await committer.git.commit(request, never)).toMatchObject({ kind: 'made', tree: request.tree });
    expect(repo.git('status', '--porcelain')).toBe('');
  });
});

describe('the index of a failed commit is not reverted', () => {
  it('while another git holds it, which is reported', async () => {
    await using repo = await stagedWithCare('touch .git/index.lock; exit 1');
    const lock = join(repo.path, '.git/index.lock');
    const answer = await (await openCommitter(repo.path)).commit();
    expect(answer).toMatchObject({ kind: 'failed', detail: expect.stringContaining(`; the index could not be put back: another git holds ${lock}`) });
    expect(existsSync(lock)).toBe(true);
    await rm(lock);
    expect(repo.git('show', ':a.txt')).toBe('in the file');
  });

  it('if HEAD has moved, because it would no longer match', async () => {
    await using repo = await stagedWithCare('git update-ref HEAD $(git commit-tree -p HEAD -m other HEAD^{tree}); exit 1');
    expect(await (await openCommitter(repo.path)).commit()).toMatchObject({ kind: 'failed' });
    expect(repo.git('log', '-1', '--format=%s')).toBe('other');
    expect(repo.git('show', ':a.txt')).toBe('in the file');
    expect(existsSync(join(repo.path, '.git/index.lock'))).toBe(false);
  });
});
