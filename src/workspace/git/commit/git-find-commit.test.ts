import { describe, expect, it } from 'vitest';
import { openedGit } from '../../../../test/support/opened-git.ts';
import { openRepo, type Repo } from '../../../../test/support/repo.ts';

const none = '0'.repeat(40);

async function committed(repo: Repo, name: string, message: string) {
  await repo.write(name, `${name}\n`);
  repo.git('add', '-A');
  repo.git('commit', '-q', '-m', message);
  return { commit: repo.git('rev-parse', 'HEAD'), tree: repo.git('rev-parse', 'HEAD^{tree}') };
}

describe('a requested commit', () => {
  it('is found by its message or its tree, even below later commits', async () => {
    await using repo = await openRepo();
    const parent = repo.git('rev-parse', 'HEAD');
    const made = await committed(repo, 'a', 'add a\n\nwith a body');
    await committed(repo, 'b', 'later');
    const git = await openedGit(repo.path);
    expect(await git.findCommit({ parent, message: 'add a\n\nwith a body\n\n', tree: none })).toEqual(made);
    expect(await git.findCommit({ parent, message: 'a hook has changed it', tree: made.tree })).toEqual(made);
  });

  it('is not confused with one that has neither, has another parent, or is reached only by a merge', async () => {
    await using repo = await openRepo();
    const parent = repo.git('rev-parse', 'HEAD');
    repo.git('checkout', '-q', '-b', 'side');
    const aside = await committed(repo, 'a', 'aside');
    repo.git('checkout', '-q', 'main');
    const made = await committed(repo, 'b', 'on main');
    repo.git('merge', '-q', '-m', 'merged', 'side');
    const git = await openedGit(repo.path);
    expect(await git.findCommit({ parent, message: 'other words', tree: none })).toBeNull();
    expect(await git.findCommit({ parent: none, message: 'on main', tree: made.tree })).toBeNull();
    expect(await git.findCommit({ parent, message: 'aside', tree: aside.tree })).toBeNull();
    expect(await git.findCommit({ parent, message: 'on main', tree: none })).toEqual(made);
  });

  it('may be the very first one, and is not found before it exists', async () => {
    await using repo = await openRepo();
    const first = { commit: repo.git('rev-parse', 'HEAD'), tree: repo.git('rev-parse', 'HEAD^{tree}') };
    await committed(repo, 'b', 'later');
    const request = { parent: null, message: 'start', tree: none };
    expect(await (await openedGit(repo.path)).findCommit(request)).toEqual(first);
    repo.git('checkout', '-q', '--orphan', 'unborn');
    expect(await (await openedGit(repo.path)).findCommit(request)).toBeNull();
  });
});
