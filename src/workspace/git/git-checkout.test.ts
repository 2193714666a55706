import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openedGit } from '../../../test/support/opened-git.ts';
import { openRepo, type Repo } from '../../../test/support/repo.ts';
import { identityOf } from '../../process/identity.ts';

const isThere = async (path: string) =>
  await access(path).then(
    () => true,
    () => false,
  );

const worktrees = (repo: Repo) =>
  repo
    .git('worktree', 'list', '--porcelain')
    .split('\n')
    .filter((line) => line.startsWith('worktree ')).length;

describe('a fresh checkout', () => {
  it('is a separate work tree with all branches, on a commit with the tree', async () => {
    await using repo = await openRepo({ 'a.txt': 'a\n', '.gitignore': 'ignored\n' });
    await repo.write('a.txt', 'changed\n');
    await repo.write('run.sh', '#!/bin/sh\n', 0o755);
    await repo.write('ignored', 'i\n');
    const status = repo.git('status', '--porcelain');
    const git = await openedGit(repo.path);
    const tree = (await git.look())?.tree ?? '';
    {
      await using checkout = await git.history.checkOut(tree);
      const there = (...args: string[]) => repo.git('-C', checkout.path, ...args);
      expect(there('rev-parse', '--show-toplevel')).toBe(checkout.path);
      expect(there('rev-parse', 'HEAD^{tree}')).toBe(tree);
      expect(there('rev-parse', 'HEAD^')).toBe(repo.git('rev-parse', 'main'));
      expect(there('status', '--porcelain', '--ignored')).toBe('');
      expect(basename(checkout.path)).toBe(basename(repo.path));
      expect((await readdir(checkout.path)).sort()).toEqual(['.git', '.gitignore', 'a.txt', 'run.sh']);
    }
    expect(repo.git('status', '--porcelain')).toBe(status);
    expect(repo.git('branch', '--list', '--all')).toBe('* main');
    expect(worktrees(repo)).toBe(1);
    expect(await isThere(join(repo.path, '.git/worktrees'))).toBe(false);
  });

  it("is as far below its top as the loop's folder, even if the tree has no such folder", async () => {
    await using repo = await openRepo({ 'packages/one/a.txt': 'a\n' });
    await mkdir(join(repo.path, 'packages/empty'));
    const tree = repo.git('rev-parse', 'HEAD^{tree}');
    await using one = await (await openedGit(join(repo.path, 'packages/one'))).history.checkOut(tree);
    await using empty = await (await openedGit(join(repo.path, 'packages/empty'))).history.checkOut(tree);
    expect(await readdir(one.path)).toEqual(['a.txt']);
    expect(await readdir(empty.path)).toEqual([]);
  });

  it('runs filters but no hook', async () => {
    await using repo = await openRepo({ '.gitattributes': '*.up filter=up\n', 'a.up': 'small\n' });
    repo.git('config', 'filter.up.smudge', 'tr a-z A-Z');
    await repo.write('.git/hooks/post-checkout', `#!/bin/sh\ntouch '${repo.beside}/hooked'\n`, 0o755);
    await using checkout = await (await openedGit(repo.path)).history.checkOut(repo.git('rev-parse', 'HEAD^{tree}'));
    expect(await readFile(join(checkout.path, 'a.up'), 'utf8')).toBe('SMALL\n');
    expect(await readdir(repo.beside)).toEqual([]);
  });

  it('works before the first commit, for a linked worktree, twice at once, and with submodules', async () => {
    await using library = await openRepo();
    await using repo = await openRepo();
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.path, 'library');
    repo.git('commit', '-qm', 'with a library');
    repo.git('config', 'submodule.recurse', 'true');
    const path = join(repo.beside, 'linked');
    repo.git('worktree', 'add', '-q', '--detach', path);
    repo.git('checkout', '-q', '--orphan', 'fresh');
    const git = await openedGit(repo.path);
    const tree = (await git.look())?.tree ?? '';
    const linked = await openedGit(path);
    const made = await Promise.all([git.history.checkOut(tree), git.history.checkOut(tree), linked.history.checkOut(tree)]);
    for (const { path: at } of made) expect((await readdir(at)).sort()).toEqual(['.git', '.gitmodules', 'library', 'readme.txt']);
    await Promise.all(made.map((each) => each[Symbol.asyncDispose]()));
    expect(worktrees(repo)).toBe(2);
  });

  it('is removed whatever the checks did to it', async () => {
    await using repo = await openRepo();
    const git = await openedGit(repo.path);
    const checkout = await git.history.checkOut(repo.git('rev-parse', 'HEAD^{tree}'));
    await mkdir(join(checkout.path, 'cache/deep'), { recursive: true });
    await writeFile(join(checkout.path, 'cache/deep/file'), 'x', { mode: 0o444 });
    await chmod(join(checkout.path, 'cache/deep'), 0o555);
    await writeFile(join(checkout.path, '.git'), 'nonsense');
    await checkout[Symbol.asyncDispose]();
    expect(await isThere(dirname(checkout.path))).toBe(false);
    expect(worktrees(repo)).toBe(1);
  });

  it('is removed by the next one if its loop was killed, but not while that runs', async () => {
    await using repo = await openRepo();
    const tree = repo.git('rev-parse', 'HEAD^{tree}');
    const git = await openedGit(repo.path);
    const left = await git.history.checkOut(tree);
    const loop = spawn('sleep', ['600'], { stdio: 'ignore' });
    const gone = once(loop, 'exit');
    const record = join(repo.path, '.git/worktrees/repo/locked');
    expect(await readFile(record, 'utf8')).toContain(`"pid":${process.pid}`);
    await writeFile(record, `ralph ${JSON.stringify(identityOf(loop.pid ?? 0))}`);
    await (await git.history.checkOut(tree))[Symbol.asyncDispose]();
    expect(await isThere(left.path)).toBe(true);
    loop.kill('SIGKILL');
    await gone;
    repo.git('worktree', 'prune');
    expect(worktrees(repo)).toBe(2);
    await (await git.history.checkOut(tree))[Symbol.asyncDispose]();
    expect(await isThere(dirname(left.path))).toBe(false);
    expect(worktrees(repo)).toBe(1);
  });

  it('leaves nothing behind if it cannot be made', async () => {
    await using repo = await openRepo();
    // A folder of its own: other tests make checkouts at the same time.
    vi.stubEnv('TMPDIR', repo.beside);
    const git = await openedGit(repo.path);
    repo.git('config', 'filter.bad.clean', 'cat');
    repo.git('config', 'filter.bad.smudge', 'false');
    repo.git('config', 'filter.bad.required', 'true');
    await repo.write('.gitattributes', '* filter=bad\n');
    const tree = (await git.look())?.tree ?? '';
    await expect(git.history.checkOut(tree)).rejects.toThrow(/no fresh checkout can be made: /);
    await expect(git.history.checkOut('0'.repeat(40))).rejects.toThrow(/./);
    expect((await readdir(repo.beside)).filter((name) => name.startsWith('ralph-checkout-'))).toEqual([]);
    expect(worktrees(repo)).toBe(1);
  });

  it('leaves nothing behind if its ignored files cannot be brought', async () => {
    await using repo = await openRepo({ 'below/a.txt': 'a\n' });
    // A folder of its own: other tests make checkouts at the same time.
    vi.stubEnv('TMPDIR', repo.beside);
    const git = await openedGit(join(repo.path, 'below'));
    const blob = repo.git('rev-parse', 'HEAD:below/a.txt');
    const tree = execFileSync('git', ['mktree'], { cwd: repo.path, input: `100644 blob ${blob}\tbelow\n`, encoding: 'utf8' }).trim();
    await expect(git.history.checkOut(tree)).rejects.toThrow(/below/);
    expect((await readdir(repo.beside)).filter((name) => name.startsWith('ralph-checkout-'))).toEqual([]);
    expect(worktrees(repo)).toBe(1);
  });
});
