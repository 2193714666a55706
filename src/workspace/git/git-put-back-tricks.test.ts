import { lstat, mkdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { afterCheating, FILES, KEPT } from '../../../test/contracts/git-history-cheated.ts';
import { openedGit } from '../../../test/support/opened-git.ts';
import { openRepo } from '../../../test/support/repo.ts';

describe('Ralph reverts protected files although git was told not to look', () => {
  it.each(['--assume-unchanged', '--skip-worktree'])('with %s', async (flag) => {
    await using world = await afterCheating(['tests'], async ({ repo }) => {
      repo.git('update-index', flag, 'tests/a.txt');
      await repo.write('tests/a.txt', 'evil\n');
    });
    expect(world.paths).toEqual(['tests/a.txt']);
    expect(await readFile(world.at('tests/a.txt'), 'utf8')).toBe('a\n');
  });

  it('with the size and the time of the file unchanged, and a git that checks no more', async () => {
    await using world = await afterCheating(['tests'], async ({ repo, at }) => {
      repo.git('config', 'core.trustctime', 'false');
      repo.git('config', 'core.checkStat', 'minimal');
      const { atime, mtime } = await stat(at('tests/a.txt'));
      await writeFile(at('tests/a.txt'), 'z\n');
      await utimes(at('tests/a.txt'), atime, mtime);
    });
    expect(world.paths).toEqual(['tests/a.txt']);
  });

  it('with the folder ignored and removed from the index', async () => {
    await using world = await afterCheating(['tests'], async ({ repo }) => {
      await repo.write('.gitignore', 'tests/\n');
      repo.git('rm', '-r', '-q', '--cached', 'tests');
      await repo.write('tests/a.txt', 'evil\n');
    });
    expect(world.paths).toContain('tests/a.txt');
    expect(await readFile(world.at('tests/a.txt'), 'utf8')).toBe('a\n');
    expect(world.repo.git('status', '--porcelain')).toBe('?? .gitignore');
  });

  it.each(['--no-sparse-index', '--sparse-index'])('in a sparse checkout with %s, and does not check out other files', async (kind) => {
    await using repo = await openRepo({ 'in/a.txt': 'a\n', 'out/b.txt': 'b\n', 'out/deep/c.txt': 'c\n' });
    repo.git('sparse-checkout', 'set', '--cone', kind, 'in');
    const git = await openedGit(repo.path);
    const start = (await git.look())?.tree ?? '';
    expect(await git.history.revert(start, ['**'], KEPT)).toEqual([]);
    await repo.write('in/a.txt', 'evil\n');
    await repo.write('out/b.txt', 'evil\n');
    expect(await git.history.revert(start, ['**'], KEPT)).toEqual(['in/a.txt', 'out/b.txt']);
    expect(await readFile(join(repo.path, 'in/a.txt'), 'utf8')).toBe('a\n');
    expect(await readFile(join(repo.path, 'out/b.txt'), 'utf8').catch(() => 'b\n')).toBe('b\n');
    expect(repo.git('status', '--porcelain')).toBe('');
  });
});

describe("the operator's index", () => {
  it('loses only the staged changes of protected files', async () => {
    await using world = await afterCheating(['tests/**', '*.config.js'], async ({ repo }) => {
      await repo.write('tests/a.txt', 'evil\n');
      await repo.write('tests/new.txt', 'evil\n');
      await repo.write('src/x.txt', 'staged\n');
      repo.git('rm', '-q', 'tests/deep/b.txt');
      repo.git('add', '-A');
      await repo.write('src/x.txt', 'and more\n');
    });
    expect(world.paths).toEqual(['tests/a.txt', 'tests/deep/b.txt', 'tests/new.txt']);
    expect(world.repo.git('status', '--porcelain')).toBe('MM src/x.txt');
    expect(world.repo.git('show', ':src/x.txt')).toBe('staged');
  });

  it('does not get files that were never added, and keeps the staged changes of untouched files', async () => {
    await using repo = await openRepo(FILES);
    await repo.write('tests/untracked.txt', 'mine\n');
    await repo.write('tests/a.txt', 'staged\n');
    repo.git('add', 'tests/a.txt');
    await repo.write('tests/a.txt', 'unstaged\n');
    const git = await openedGit(repo.path);
    const start = (await git.look())?.tree ?? '';
    await repo.write('tests/untracked.txt', 'evil\n');
    expect(await git.history.revert(start, ['tests'], KEPT)).toEqual(['tests/untracked.txt']);
    expect(await readFile(join(repo.path, 'tests/untracked.txt'), 'utf8')).toBe('mine\n');
    expect(repo.git('status', '--porcelain').split('\n')).toEqual(['MM tests/a.txt', '?? tests/untracked.txt']);
    expect(repo.git('show', ':tests/a.txt')).toBe('staged');
  });

  it('no longer has a link that was staged in the place of a folder', async () => {
    await using world = await afterCheating(['tests/**'], async ({ repo, at }) => {
      await rename(at('tests'), at('elsewhere'));
      await symlink('elsewhere', at('tests'));
      repo.git('add', '-A');
      repo.git('commit', '-qm', 'cheat');
    });
    expect(world.repo.git('ls-files', 'tests').split('\n')).toEqual(['tests/a.txt', 'tests/deep/b.txt']);
  });

  it('may be locked by another git for a moment', async () => {
    await using world = await afterCheating(['tests'], async ({ repo, at }) => {
      await repo.write('tests/a.txt', 'evil\n');
      repo.git('add', '-A');
      await writeFile(at('.git/index.lock'), '');
      setTimeout(() => void rm(at('.git/index.lock')), 1_000);
    });
    expect(world.repo.git('status', '--porcelain')).toBe('');
  });
});

describe('nested repositories', () => {
  it('that an agent made among protected files are removed', async () => {
    await using world = await afterCheating(['tests'], async ({ repo, at }) => {
      await mkdir(at('tests/sub'));
      repo.git('init', '-q', 'tests/sub');
      repo.git('-C', 'tests/sub', 'commit', '-q', '--allow-empty', '-m', 'x');
      await rm(at('tests/a.txt'));
      repo.git('init', '-q', 'tests/a.txt');
      repo.git('-C', 'tests/a.txt', 'commit', '-q', '--allow-empty', '-m', 'x');
    });
    expect(world.paths).toEqual(['tests/a.txt', 'tests/sub']);
    expect(world.now).toBe(world.start);
    await expect(lstat(world.at('tests/sub'))).rejects.toThrow('ENOENT');
  });

  it('that are submodules go back to their commit, unless a change in them would be lost', async () => {
    await using library = await openRepo();
    await using repo = await openRepo();
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.path, 'library');
    repo.git('commit', '-qm', 'with a library');
    const git = await openedGit(repo.path);
    const start = (await git.look())?.tree ?? '';
    await repo.write('library/readme.txt', 'evil\n');
    repo.git('-C', 'library', 'commit', '-qam', 'evil');
    expect(await git.history.revert(start, ['library'], KEPT)).toEqual(['library']);
    expect(await readFile(join(repo.path, 'library/readme.txt'), 'utf8')).toBe('hello\n');
    repo.git('-C', 'library', 'checkout', '-q', 'main');
    await repo.write('library/readme.txt', 'not committed\n');
    await expect(git.history.revert(start, ['library'], KEPT)).rejects.toThrow(/the submodule library cannot be put back/);
    await rm(join(repo.path, 'library'), { recursive: true });
    expect(await git.history.revert(start, ['library'], KEPT)).toEqual(['library']);
    expect((await git.look())?.tree).toBe(start);
  });
});

it("a revert uses Ralph's name, does not need the operator's, and runs no hook", async () => {
  await using world = await afterCheating(['tests'], async ({ repo }) => {
    for (const hook of ['reference-transaction', 'post-checkout', 'post-index-change'])
      await repo.write(`.git/hooks/${hook}`, '#!/bin/sh\ntouch hooked\n', 0o755);
    await repo.write('tests/a.txt', 'evil\n');
  });
  expect(world.repo.git('show', '-s', '--format=%an <%ae> %cn <%ce>', KEPT)).toBe('ralph <ralph@localhost> ralph <ralph@localhost>');
  expect(world.repo.git('rev-parse', `${KEPT}^`)).toBe(world.repo.git('rev-parse', 'HEAD'));
  await expect(lstat(world.at('hooked'))).rejects.toThrow('ENOENT');
});
