import { mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openedGit } from '../../../test/support/opened-git.ts';
import { openRepo } from '../../../test/support/repo.ts';

const keepBranch = { force: false, branch: 'keep' } as const;

describe('a worktree is added', () => {
  it('on a new branch, under a path with spaces, from HEAD or any other commit, without a hook', async () => {
    await using repo = await openRepo();
    await repo.write('.git/hooks/post-checkout', `#!/bin/sh\ntouch '${repo.path}/hooked'\n`, 0o755);
    const first = repo.git('rev-parse', 'HEAD');
    repo.git('commit', '-q', '--allow-empty', '-m', 'second');
    const { worktrees } = await openedGit(repo.path);
    const path = join(repo.beside, 'ein schöner Ort', 'eins');
    expect(await worktrees.add({ path, branch: 'ralph/eins' })).toEqual({ path, branch: 'ralph/eins', head: repo.git('rev-parse', 'HEAD'), submodules: [] });
    expect(await worktrees.add({ path: join(repo.beside, 'two'), branch: 'two', base: 'main^' })).toMatchObject({ head: first });
    expect(await readdir(path)).toEqual(['.git', 'readme.txt']);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('from a detached HEAD, from inside another worktree, and even inside one', async () => {
    await using repo = await openRepo();
    const { worktrees } = await openedGit(repo.path);
    const one = await worktrees.add({ path: join(repo.beside, 'one'), branch: 'one' });
    repo.git('-C', one.path, 'checkout', '-q', '--detach');
    repo.git('-C', one.path, 'commit', '-q', '--allow-empty', '-m', 'here only');
    const inside = await openedGit(one.path);
    const two = await inside.worktrees.add({ path: join(one.path, 'nested/two'), branch: 'two' });
    expect(two.head).toBe(repo.git('-C', one.path, 'rev-parse', 'HEAD'));
    expect(await inside.worktrees.root()).toBe(`${repo.path}.ralph`);
    expect((await inside.worktrees.list()).map(({ path }) => path)).toEqual([repo.path, one.path, two.path]);
  });

  it('with empty folders for submodules, which are named', async () => {
    await using library = await openRepo();
    await using repo = await openRepo();
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.path, 'my library');
    repo.git('commit', '-qm', 'with a library');
    repo.git('config', 'submodule.recurse', 'true');
    const { worktrees } = await openedGit(repo.path);
    const added = await worktrees.add({ path: join(repo.beside, 'one'), branch: 'one' });
    expect(added.submodules).toEqual(['my library']);
    expect(await readdir(join(added.path, 'my library'))).toEqual([]);
  });

  it('by many at once, each under its own name', async () => {
    await using repo = await openRepo();
    const { worktrees } = await openedGit(repo.path);
    const root = join(repo.beside, 'repo.ralph');
    const names = Array.from({ length: 8 }, (_, index) => `fix.${index}`);
    const added = await Promise.all(names.map((name) => worktrees.add({ path: join(root, name), branch: `ralph/${name}` })));
    for (const { path, branch } of added) {
      expect(path).toBe(join(root, branch.replace('ralph/', '')));
      expect(repo.git('-C', path, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe(branch);
      expect(repo.git('-C', path, 'status', '--porcelain')).toBe('');
    }
    expect(await worktrees.list()).toHaveLength(9);
  });

  it('while another git is making one, and the list waits until that is made', async () => {
    await using repo = await openRepo();
    const { worktrees, history } = await openedGit(repo.path);
    const halfMade = { commondir: '', gitdir: `${repo.beside}/half-made/.git\n`, HEAD: `${'0'.repeat(40)}\n` };
    for (const [name, text] of Object.entries(halfMade)) await repo.write(`.git/worktrees/half-made/${name}`, text);
    expect(() => repo.git('worktree', 'list')).toThrow(/failed to read/);
    const asked = Promise.all([worktrees.list(), history.checkOut(repo.git('rev-parse', 'HEAD^{tree}'))]);
    await sleep(200);
    await rm(join(repo.path, '.git/worktrees/half-made'), { recursive: true });
    const [listed, checkout] = await asked;
    await checkout[Symbol.asyncDispose]();
    expect(listed.map(({ path }) => path)).toContain(repo.path);
  });
});

describe('no worktree is added', () => {
  it.each([
    ['where something is', { path: 'there', branch: 'new' }, 'worktree-exists', /there is there already/],
    ['where a link leads nowhere', { path: 'dangling', branch: 'new' }, 'worktree-exists', /dangling is there already/],
    ['on a branch that exists', { path: 'new', branch: 'main' }, 'worktree-exists', /the branch main exists already/],
    ['on a branch without a proper name', { path: 'new', branch: 'a..b' }, 'bad-branch', /a\.\.b is no name for a branch/],
    ['on a branch that looks like an option', { path: 'new', branch: '--force' }, 'bad-branch', /--force is no name/],
    ['from nothing', { path: 'new', branch: 'new', base: 'no-such' }, 'no-such-commit', /no-such names no commit/],
    ['below a file', { path: 'file/new', branch: 'new' }, 'worktree-failed', /Not a directory/],
    ['on a branch below another', { path: 'new', branch: 'main/below' }, 'worktree-failed', /cannot lock ref|cannot create/],
  ])('%s', async (_, request, code, message) => {
    await using repo = await openRepo();
    await mkdir(join(repo.beside, 'there'));
    await repo.write('../beside/file', 'f\n');
    await symlink('nowhere', join(repo.beside, 'dangling'));
    const { worktrees } = await openedGit(repo.path);
    const refused = worktrees.add({ ...request, path: join(repo.beside, request.path) });
    await expect(refused).rejects.toMatchObject({ name: 'OperatorError', exitCode: 4, code, message: expect.stringMatching(message) });
    expect((await readdir(repo.beside)).sort()).toEqual(['dangling', 'file', 'there']);
    expect(await worktrees.list()).toHaveLength(1);
    expect(repo.git('branch', '--list')).toBe('* main');
  });

  it('before the first commit', async () => {
    await using repo = await openRepo();
    repo.git('init', '-q', 'fresh');
    const { worktrees } = await openedGit(join(repo.path, 'fresh'));
    const refused = worktrees.add({ path: join(repo.beside, 'x'), branch: 'ralph/x' });
    await expect(refused).rejects.toMatchObject({
      code: 'no-commit',
      message: 'this repository has no commit yet, and a worktree starts from one',
      exitCode: 4,
    });
  });
});

it('the list of worktrees has branch, commit, changes, locks and missing folders', async () => {
  await using repo = await openRepo();
  const { worktrees } = await openedGit(repo.path);
  const at = (name: string) => join(repo.beside, name);
  for (const name of ['clean', 'dirty', 'gone', 'locked']) await worktrees.add({ path: at(name), branch: name });
  await repo.write('../beside/dirty/new.txt', 'n\n');
  repo.git('-C', at('clean'), 'checkout', '-q', '--detach');
  repo.git('worktree', 'lock', '--reason', 'in use:\nhere', at('locked'));
  await rm(at('gone'), { recursive: true });
  const head = repo.git('rev-parse', 'HEAD');
  const plain = { head, lockedFor: null, isPrunable: false, isBare: false, isMain: false, isDirty: false };
  expect((await worktrees.list()).toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { ...plain, path: at('clean'), branch: null },
    { ...plain, path: at('dirty'), branch: 'dirty', isDirty: true },
    { ...plain, path: at('gone'), branch: 'gone', isPrunable: true, isDirty: null },
    { ...plain, path: at('locked'), branch: 'locked', lockedFor: 'in use:\nhere' },
    { ...plain, path: repo.path, branch: 'main', isMain: true },
  ]);
  await worktrees.prune();
  expect(await worktrees.list()).toHaveLength(4);
});

describe('a worktree is removed', () => {
  it('and its branch is kept, deleted if it is merged, or deleted, as requested', async () => {
    await using repo = await openRepo();
    const { worktrees } = await openedGit(repo.path);
    const at = (name: string) => join(repo.beside, name);
    for (const name of ['kept', 'merged', 'unmerged', 'deleted']) await worktrees.add({ path: at(name), branch: name });
    for (const name of ['unmerged', 'deleted']) repo.git('-C', at(name), 'commit', '-q', '--allow-empty', '-m', 'x');
    expect(await worktrees.remove(at('kept'), keepBranch)).toEqual({ path: at('kept'), branch: 'kept', isBranchDeleted: false });
    expect(await worktrees.remove(at('merged'), { force: false, branch: 'if-merged' })).toMatchObject({ isBranchDeleted: true });
    expect(await worktrees.remove(at('unmerged'), { force: false, branch: 'if-merged' })).toMatchObject({ isBranchDeleted: false });
    expect(await worktrees.remove(at('deleted'), { force: false, branch: 'delete' })).toMatchObject({ isBranchDeleted: true });
    expect(repo.git('branch', '--list', '--format=%(refname:short)').split('\n')).toEqual(['kept', 'main', 'unmerged']);
    expect(await readdir(repo.beside)).toEqual([]);
  });

  it('only by force if it has changes or is locked', async () => {
    await using repo = await openRepo();
    const { worktrees } = await openedGit(repo.path);
    const path = join(repo.beside, 'dirty');
    await worktrees.add({ path, branch: 'dirty' });
    for (const name of ['a', 'b', 'c', 'd\ne']) await repo.write(`../beside/dirty/${name}`, 'x\n');
    const message = `${path} has changes that are not committed: a, b, c and 1 more`;
    await expect(worktrees.remove(path, keepBranch)).rejects.toMatchObject({ code: 'worktree-dirty', message, exitCode: 4 });
    repo.git('worktree', 'lock', path);
    await expect(worktrees.remove(path, keepBranch)).rejects.toMatchObject({ code: 'worktree-locked', message: `${path} is locked` });
    await worktrees.remove(path, { ...keepBranch, force: true });
    expect(await readdir(repo.beside)).toEqual([]);
  });

  it('if its folder is already gone, but not if it is the repository, the current folder, or no worktree', async () => {
    await using repo = await openRepo();
    const { worktrees } = await openedGit(repo.path);
    const path = join(repo.beside, 'one');
    await worktrees.add({ path, branch: 'one' });
    const inside = (await openedGit(path)).worktrees;
    await expect(inside.remove(path, keepBranch)).rejects.toMatchObject({ message: `${path} is where you are` });
    await expect(worktrees.remove(repo.path, { ...keepBranch, force: true })).rejects.toMatchObject({ message: `${repo.path} is the repository itself` });
    await expect(worktrees.remove(repo.beside, keepBranch)).rejects.toMatchObject({ code: 'no-such-worktree' });
    await rm(path, { recursive: true });
    expect(await worktrees.remove(path, keepBranch)).toMatchObject({ branch: 'one' });
    expect(await worktrees.list()).toHaveLength(1);
  });
});
