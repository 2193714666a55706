import { onTestFinished } from 'vitest';
import { type GitCli, openGitCli } from '../../src/workspace/git/git-cli.ts';
import type { Repo } from './repo.ts';

/** An environment in which the git set-up of whoever runs the tests has no say. */
export const gitEnv = { PATH: process.env['PATH'] ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

/** Closed when the test is finished. */
export async function openedGit(path: string): Promise<GitCli> {
  const git = await openGitCli(path, gitEnv);
  if (!git) throw new Error('no repository');
  onTestFinished(() => git[Symbol.asyncDispose]());
  return git;
}

/** What git itself calls the working copy. It stages everything, so it is asked last. */
export function usersTree(repo: Repo): string {
  repo.git('add', '--all', ':/');
  return repo.git('write-tree');
}
