import { chmod, cp, lstat, readFile, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { afterCheating, FILES, KEPT } from '../../../test/contracts/git-history-cheated.ts';
import { deepIt } from '../../../test/support/deep.ts';
import { openedGit } from '../../../test/support/opened-git.ts';
import { openRepo } from '../../../test/support/repo.ts';

describe('Ralph reverts protected files', () => {
  it('if the whole folder is gone', async () => {
    await using world = await afterCheating(['tests/**'], async ({ at }) => await rm(at('tests'), { recursive: true }));
    expect(world.paths).toEqual(['tests/a.txt', 'tests/deep/b.txt']);
    expect(world.now).toBe(world.start);
  });

  it('if they were moved, and leaves the moved files', async () => {
    await using world = await afterCheating(['tests'], async ({ at }) => await rename(at('tests'), at('old-tests')));
    expect(world.paths).toEqual(['tests/a.txt', 'tests/deep/b.txt']);
    expect(await readFile(world.at('old-tests/a.txt'), 'utf8')).toBe('a\n');
  });

  it('if their executable bit changed', async () => {
    await using world = await afterCheating(['tests'], async ({ at }) => await chmod(at('tests/a.txt'), 0o755));
    expect(world.paths).toEqual(['tests/a.txt']);
    expect((await stat(world.at('tests/a.txt'))).mode & 0o111).toBe(0);
  });

  it('if a file became a folder, a link or a folder of ignored files, and a folder became a file', async () => {
    await using world = await afterCheating(
      ['*.config.js', 'tests/**', '*.json'],
      async ({ repo, at }) => {
        await rm(at('app.config.js'));
        await repo.write('app.config.js/index.js', 'evil\n');
        await rm(at('a.json'));
        await repo.write('a.json/ignored.log', 'evil\n');
        await rm(at('tests'), { recursive: true });
        await repo.write('tests', 'no tests\n');
        await rm(at('b.json'));
        await symlink('src/x.txt', at('b.json'));
      },
      { ...FILES, 'a.json': '1\n', 'b.json': '2\n', '.gitignore': '*.log\n' },
    );
    expect(world.paths).toEqual(['a.json', 'app.config.js', 'b.json', 'tests/a.txt', 'tests/deep/b.txt']);
    expect(world.now).toBe(world.start);
  });

  it('to the links they were, and removes folders that became empty', async () => {
    const repo = await openRepo(FILES);
    await using _ = repo;
    await symlink('../src/x.txt', join(repo.path, 'tests/link'));
    const git = await openedGit(repo.path);
    const start = (await git.look())?.tree ?? '';
    await rm(join(repo.path, 'tests/link'));
    await repo.write('tests/link', 'x\n');
    await repo.write('tests/new/er/file', 'x\n');
    expect(await git.history.revert(start, ['tests'], KEPT)).toEqual(['tests/link', 'tests/new/er/file']);
    expect(await readlink(join(repo.path, 'tests/link'))).toBe('../src/x.txt');
    await expect(lstat(join(repo.path, 'tests/new'))).rejects.toThrow('ENOENT');
    expect(repo.git('status', '--porcelain')).toBe('?? tests/link');
  });

  it('never through a link in the place of their folder', async () => {
    let outside = '';
    await using world = await afterCheating(['tests/**'], async ({ repo, at }) => {
      outside = join(repo.beside, 'outside');
      await cp(at('tests'), outside, { recursive: true });
      await writeFile(join(outside, 'a.txt'), 'precious\n');
      await rm(at('tests'), { recursive: true });
      await symlink(outside, at('tests'));
    });
    expect(world.paths).toEqual(['tests/a.txt', 'tests/deep/b.txt']);
    expect(world.now).toBe(world.start);
    expect((await lstat(world.at('tests'))).isDirectory()).toBe(true);
    expect(await readFile(join(outside, 'a.txt'), 'utf8')).toBe('precious\n');
    expect(await readFile(join(outside, 'deep/b.txt'), 'utf8')).toBe('b\n');
  });

  it('whatever their names are', async () => {
    const names = ['tests/new\nline', 'tests/"quoted"', 'tests/grün 🟢', "tests/it's", 'tests/back\\slash', 'tests/[a]*', 'tests/-n', 'tests/:(top)x'];
    await using world = await afterCheating(
      ['tests'],
      async ({ repo }) => {
        for (const name of names) await repo.write(name, 'evil\n');
        await repo.write('tests/:(exclude)x', 'new\n');
      },
      Object.fromEntries(names.map((name) => [name, 'good\n'])),
    );
    expect(world.paths).toEqual([...names, 'tests/:(exclude)x'].sort());
    expect(world.now).toBe(world.start);
  });

  it('in read-only files and folders, which stay read-only', async () => {
    await using world = await afterCheating(['tests'], async ({ repo, at }) => {
      await repo.write('tests/deep/b.txt', 'evil\n');
      await chmod(at('tests/deep/b.txt'), 0o444);
      await chmod(at('tests/deep'), 0o555);
    });
    expect(world.paths).toEqual(['tests/deep/b.txt']);
    expect(await readFile(world.at('tests/deep/b.txt'), 'utf8')).toBe('b\n');
    expect((await stat(world.at('tests/deep'))).mode & 0o777).toBe(0o555);
  });

  deepIt('five thousand files take seconds and go the same way')('even if there are five thousand of them', async () => {
    const names = Array.from({ length: 5_000 }, (_, i) => `tests/${i % 50}/${i}.txt`);
    await using world = await afterCheating(
      ['tests/**'],
      async ({ at }) => await rm(at('tests'), { recursive: true }),
      Object.fromEntries(names.map((name) => [name, `${name}\n`])),
    );
    expect(world.paths).toHaveLength(5_000);
    expect(world.now).toBe(world.start);
  });

  it('from a subfolder and in a linked worktree, with patterns relative to its top', async () => {
    await using repo = await openRepo({ ...FILES, 'src/tests/a.txt': 'other\n' });
    const path = join(repo.beside, 'linked one');
    repo.git('worktree', 'add', '-q', '--detach', path);
    const git = await openedGit(join(path, 'src'));
    const start = (await git.look())?.tree ?? '';
    await writeFile(join(path, 'tests/a.txt'), 'evil\n');
    await writeFile(join(path, 'src/tests/a.txt'), 'fine\n');
    expect(await git.history.revert(start, ['tests', './app.config.js', '/tests/'], KEPT)).toEqual(['tests/a.txt']);
    expect(repo.git('-C', path, 'status', '--porcelain')).toBe('M src/tests/a.txt');
  });

  it('before the first commit', async () => {
    await using repo = await openRepo();
    repo.git('checkout', '-q', '--orphan', 'fresh');
    const git = await openedGit(repo.path);
    const start = (await git.look())?.tree ?? '';
    await repo.write('readme.txt', 'evil\n');
    repo.git('add', '-A');
    expect(await git.history.revert(start, ['readme.txt'], KEPT)).toEqual(['readme.txt']);
    expect(repo.git('status', '--porcelain')).toBe('A  readme.txt');
    expect(await readFile(join(repo.path, 'readme.txt'), 'utf8')).toBe('hello\n');
  });

  it('only if a pattern matches them', async () => {
    await using repo = await openRepo(FILES);
    const git = await openedGit(repo.path);
    const start = (await git.look())?.tree ?? '';
    await repo.write('tests/a.txt', 'mine\n');
    expect(await git.history.revert(start, ['', ' ', 'nothing/**', 'test'], KEPT)).toEqual([]);
    expect(await git.history.revert(start, [], KEPT)).toEqual([]);
    await expect(git.history.revert(start, ['../elsewhere'], KEPT)).rejects.toThrow(/leads out of the repository: \.\.\/elsewhere/);
  });
});
