import { join } from 'node:path';
import { expect } from 'vitest';
import { openedGit } from '../support/opened-git.ts';
import { openRepo, type Repo } from '../support/repo.ts';

export const KEPT = 'refs/ralph/kept/r/1.1';
export const FILES = { 'tests/a.txt': 'a\n', 'tests/deep/b.txt': 'b\n', 'app.config.js': 'c\n', 'src/x.txt': 'x\n' };

interface Cheat {
  readonly repo: Repo;
  readonly at: (path: string) => string;
}

/** Changes the repository, reverts the patterns, and checks that they are as before. */
export async function afterCheating(patterns: readonly string[], cheat: (world: Cheat) => Promise<void>, files: Readonly<Record<string, string>> = FILES) {
  const repo = await openRepo(files);
  const git = await openedGit(repo.path);
  const start = (await git.look())?.tree ?? '';
  await cheat({ repo, at: (path) => join(repo.path, path) });
  const paths = await git.history.revert(start, patterns, KEPT);
  const now = (await git.look())?.tree ?? '';
  expect(await git.history.revert(start, patterns, KEPT)).toEqual([]);
  return { repo, git, start, paths, now, at: (path: string) => join(repo.path, path), [Symbol.asyncDispose]: () => repo[Symbol.asyncDispose]() };
}
