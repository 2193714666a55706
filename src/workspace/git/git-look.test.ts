import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openedGit, usersTree } from '../../../test/support/opened-git.ts';
import { openRepo } from '../../../test/support/repo.ts';
import { openThrowAwayFolder } from '../../../test/support/throw-away-folder.ts';

describe('a look at the working copy', () => {
  it('names HEAD, its tree and all files, and leaves the index as it is', async () => {
    await using repo = await openRepo({ 'a.txt': 'a\n', '.gitignore': 'ignored\n' });
    await repo.write('a.txt', 'staged\n');
    repo.git('add', 'a.txt');
    await repo.write('a.txt', 'changed\n');
    await repo.write('new.txt', 'new\n');
    await repo.write('ignored', 'i\n');
    const before = await readFile(join(repo.path, '.git/index'));
    const sight = await (await openedGit(repo.path)).look();
    expect(await readFile(join(repo.path, '.git/index'))).toEqual(before);
    expect(sight).toEqual({ head: repo.git('rev-parse', 'HEAD'), headTree: repo.git('rev-parse', 'HEAD^{tree}'), tree: usersTree(repo), problem: null });
  });

  it('keeps what it saw, even if the tree was named before without being kept, and whatever happens to the files', async () => {
    await using repo = await openRepo({ 'a.txt': 'a\n' });
    const git = await openedGit(repo.path);
    await repo.write('a.txt', 'seen\n');
    await repo.write('deep/er/new.txt', 'new\n');
    expect(await git.tree()).not.toBeNull();
    const sight = await git.look();
    await repo.write('a.txt', 'a gate was here\n');
    await rm(join(repo.path, 'deep'), { recursive: true });
    expect(repo.git('show', `${sight?.tree}:a.txt`)).toBe('seen');
    expect(repo.git('show', `${sight?.tree}:deep/er/new.txt`)).toBe('new');
  });

  it('writes objects again that were pruned meanwhile', async () => {
    await using repo = await openRepo({ 'a.txt': 'a\n' });
    const git = await openedGit(repo.path);
    await repo.write('a.txt', 'seen\n');
    const first = await git.look();
    repo.git('prune', '--expire=now');
    expect(await git.look()).toEqual(first);
    expect(repo.git('show', `${first?.tree}:a.txt`)).toBe('seen');
  });

  it('has no head before the first commit', async () => {
    await using folder = await openThrowAwayFolder();
    await using repo = await openRepo();
    repo.git('init', '-q', folder.path);
    await writeFile(join(folder.path, 'a.txt'), 'a\n');
    expect(await (await openedGit(folder.path)).look()).toEqual({ head: null, headTree: null, tree: expect.stringMatching(/^[0-9a-f]{40}$/), problem: null });
  });

  it('has no tree if the repository is unreadable, unlike an empty one', async () => {
    await using repo = await openRepo();
    const git = await openedGit(repo.path);
    await writeFile(join(repo.path, '.git/config'), '[broken\n');
    expect(await git.look()).toEqual({ head: null, headTree: null, tree: null, problem: expect.stringContaining('bad config line 1') });
  });
});
