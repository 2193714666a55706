import { onTestFinished } from 'vitest';
import { type GitCli, openGitCli } from '../../src/workspace/git/git-cli.ts';
import type { Repo } from './repo.ts';

/** An environment without the git configuration of the user who runs the tests. */
export const gitEnv = { PATH: process.env['PATH'] ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

/** Closed when the test is finished. */
export async function openedGit(path: string): Promise<GitCli> {
  const git = await openGitCli(path, gitEnv);
  if (!git) throw new Error('no repository');
  onTestFinished(() => git[Symbol.asyncDispose]());
  return git;
}

/** Git's own name of the working copy. It stages everything, so call it last. */
export function usersTree(repo: Repo): string {
  repo.git('add', '--all', ':/');
  return repo.git('write-tree');
}
