import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitEnv, openedGit } from '../../../../test/support/opened-git.ts';
import { openRepo, type Repo } from '../../../../test/support/repo.ts';

/** A repository with an author, and a branch that conflicts with main. */
async function withConflict(): Promise<Repo> {
  const repo = await openRepo({ 'a.txt': 'a\n' });
  repo.git('config', 'user.name', 't');
  repo.git('config', 'user.email', 't@example.com');
  repo.git('checkout', '-q', '-b', 'side');
  await repo.write('a.txt', 'side\n');
  repo.git('commit', '-qam', 'side');
  repo.git('checkout', '-q', 'main');
  await repo.write('a.txt', 'main\n');
  repo.git('commit', '-qam', 'main');
  return repo;
}

/** Git exits with an error if it stops at a conflict. */
function stopsAtConflict(repo: Repo, ...args: readonly string[]): void {
  expect(() => execFileSync('git', args, { cwd: repo.path, env: { ...gitEnv, GIT_EDITOR: 'true' }, stdio: 'ignore' })).toThrow();
}

const seen = async (repo: Repo, words?: readonly string[]) => await (await openedGit(repo.path)).obstacle(words);

describe('an obstacle to a commit is reported', () => {
  it.each([
    ['a rebase', ['rebase', 'side'], /^a rebase is under way: .*`git rebase --abort`$/],
    ['a rebase by patches', ['rebase', '--apply', 'side'], /^a rebase is under way: .*`git rebase --abort`$/],
    ['a merge', ['merge', 'side'], /^a merge is under way: .*`git merge --abort`$/],
    ['a cherry-pick', ['cherry-pick', 'side'], /^a cherry-pick is under way: .*`git cherry-pick --abort`$/],
    ['a revert', ['revert', 'HEAD~1'], /^a revert is under way: .*`git revert --abort`$/],
  ])('in the middle of %s, and no longer after an abort', async (_name, args, words) => {
    await using repo = await withConflict();
    if (args[0] === 'revert') {
      await repo.write('a.txt', 'more\n');
      repo.git('commit', '-qam', 'more');
    }
    expect(await seen(repo)).toBeNull();
    stopsAtConflict(repo, ...args);
    expect(await seen(repo)).toMatch(words);
    repo.git(args[0] ?? '', '--abort');
    expect(await seen(repo)).toBeNull();
  });

  it('while patches are being applied', async () => {
    await using repo = await withConflict();
    repo.git('format-patch', '-q', '-1', 'side', '--output-directory', repo.beside);
    stopsAtConflict(repo, 'am', join(repo.beside, '0001-side.patch'));
    expect(await seen(repo)).toMatch(/^patches are being applied: .*`git am --abort`$/);
  });

  it('between two commits of a cherry-pick', async () => {
    await using repo = await withConflict();
    await repo.write('b.txt', 'b\n');
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'b');
    stopsAtConflict(repo, 'cherry-pick', 'side', 'HEAD');
    await repo.write('a.txt', 'resolved\n');
    repo.git('commit', '-qam', 'resolved');
    expect(await seen(repo)).toContain('several commits');
  });

  it('during a bisect', async () => {
    await using repo = await withConflict();
    repo.git('bisect', 'start');
    expect(await seen(repo)).toContain('git bisect reset');
  });

  it('for conflicts without an operation under way, also from another folder', async () => {
    await using repo = await withConflict();
    await repo.write('a.txt', 'stashed\n');
    repo.git('stash', '-q');
    await repo.write('a.txt', 'other\n');
    repo.git('commit', '-qam', 'other');
    stopsAtConflict(repo, 'stash', 'pop');
    await mkdir(join(repo.path, 'sub'));
    expect(await (await openedGit(join(repo.path, 'sub'))).obstacle()).toBe('a.txt has conflicts: resolve them and `git add` it');
  });

  it('if there is no author, unless the git command names one', async () => {
    await using repo = await openRepo();
    repo.git('config', 'user.useConfigOnly', 'true');
    const words = await seen(repo);
    expect(words).toMatch(/^git knows no author \(no \w+ was given and auto-detection is disabled\): run `git config user\.name .*user\.email/);
    expect(words).not.toContain('\n');
    expect(await seen(repo, ['git', '-c', 'user.name=Loop', '-c', 'user.email=l@example.com'])).toBeNull();
  });

  it('if the git command does not exist', async () => {
    await using repo = await openRepo();
    expect(await seen(repo, ['no-such-git'])).toMatch(/^no-such-git cannot be run: .*ENOENT/);
  });

  it('in a linked worktree with an unfinished operation, but not in the one beside it', async () => {
    await using repo = await withConflict();
    const path = join(repo.beside, 'linked');
    repo.git('worktree', 'add', '-q', '--detach', path);
    expect(() => execFileSync('git', ['merge', 'side'], { cwd: path, env: gitEnv, stdio: 'ignore' })).toThrow();
    expect(await (await openedGit(path)).obstacle()).toContain('a merge is under way');
    expect(await seen(repo)).toBeNull();
  });
});

it('a detached HEAD and an unborn branch are no obstacle', async () => {
  await using repo = await withConflict();
  repo.git('checkout', '-q', '--detach');
  expect(await seen(repo)).toBeNull();
  repo.git('checkout', '-q', '--orphan', 'unborn');
  expect(await seen(repo)).toBeNull();
});
