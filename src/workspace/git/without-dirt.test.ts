import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRepo, type Repo } from '../../../test/support/repo.ts';
import { openGitCli } from './git-cli.ts';

/** What the working copy is now, and what Ralph may commit of it. */
async function looked(repo: Repo, start: { readonly head: string; readonly tree: string }) {
  await using git = await openGitCli(repo.path, process.env as Record<string, string>);
  return await git?.look(start);
}

async function started(repo: Repo) {
  await using git = await openGitCli(repo.path, process.env as Record<string, string>);
  const { head, tree } = (await git?.snapshot(true)) ?? {};
  return { head: head ?? '', tree: tree ?? '' };
}

const pathsIn = (repo: Repo, tree: string | undefined) =>
  repo
    .git('diff-tree', '-r', '--name-only', 'HEAD', tree ?? '')
    .split('\n')
    .filter(Boolean);

it('what was dirty at the start stays out, changed or not, and the rest is in', async () => {
  await using repo = await openRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
  await repo.write('a.txt', 'mine\n');
  await repo.write('new.txt', 'mine\n');
  const start = await started(repo);
  await repo.write('new.txt', 'of the agent\n');
  await repo.write('b.txt', 'of the agent\n');
  const { withoutDirt } = (await looked(repo, start)) ?? {};
  expect(pathsIn(repo, withoutDirt?.tree)).toEqual(['b.txt']);
  expect(withoutDirt?.dirt).toEqual({ paths: ['a.txt', 'new.txt'], changed: ['new.txt'] });
});

it('what somebody has committed since is an ordinary file again', async () => {
  await using repo = await openRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  await repo.write('a.txt', 'mine\n');
  const start = await started(repo);
  repo.git('commit', '-qam', 'Mine');
  await repo.write('a.txt', 'of the agent\n');
  const seen = await looked(repo, start);
  expect(seen?.withoutDirt).toBeUndefined();
  expect(pathsIn(repo, seen?.tree ?? '')).toEqual(['a.txt']);
});

it('a folder in place of a file, and a file in place of a folder, are told apart too', async () => {
  await using repo = await openRepo({ file: 'a\n', 'folder/x': 'x\n', 'b.txt': 'b\n' });
  await rm(join(repo.path, 'file'));
  await mkdir(join(repo.path, 'file'));
  await repo.write('file/y', 'mine\n');
  await rm(join(repo.path, 'folder'), { recursive: true });
  await repo.write('folder', 'mine\n');
  const start = await started(repo);
  await repo.write('file/z', 'of the agent\n');
  await repo.write('b.txt', 'of the agent\n');
  const { withoutDirt } = (await looked(repo, start)) ?? {};
  expect(pathsIn(repo, withoutDirt?.tree)).toEqual(['b.txt']);
});

it('a working copy without dirt at the start is committed whole', async () => {
  await using repo = await openRepo({ 'a.txt': 'a\n' });
  const start = await started(repo);
  await repo.write('a.txt', 'of the agent\n');
  expect((await looked(repo, start))?.withoutDirt).toBeUndefined();
});
