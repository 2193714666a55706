import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { CommitAnswer, CommitRequest, GitPort } from '../../src/engine/ports/git.ts';
import type { ProcessWatch } from '../../src/process/process-request.ts';
import { openGitCli } from '../../src/workspace/git/git-cli.ts';
import { gitEnv } from './opened-git.ts';
import { never, nobody } from './process-request.ts';
import { openThrowAwayFolder } from './throw-away-folder.ts';

export interface Committer {
  readonly git: GitPort;
  readonly marker: string;
  readonly logFile: string;
  /** For the working copy as it is now. */
  wish(more?: Partial<CommitRequest>): Promise<CommitRequest>;
  /** Commits the working copy as it is now. */
  commit(more?: Partial<CommitRequest>, signal?: AbortSignal): Promise<CommitAnswer>;
}

interface CommitterOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly guardian?: ProcessWatch;
}

/** Commits like a loop, which reads the tree first. Closed at the end of the test. */
export async function openCommitter(path: string, { env = {}, guardian = nobody }: CommitterOptions = {}): Promise<Committer> {
  const identity = { GIT_AUTHOR_NAME: 'Loop', GIT_AUTHOR_EMAIL: 'l@example.com', GIT_COMMITTER_NAME: 'Loop', GIT_COMMITTER_EMAIL: 'l@example.com' };
  const cli = await openGitCli(path, { ...gitEnv, ...identity, ...env });
  if (!cli) throw new Error('no repository');
  const folder = await openThrowAwayFolder();
  onTestFinished(async () => {
    await cli[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  const git = cli.guardedBy(guardian);
  const marker = `commit-${randomUUID()}/1`;
  const logFile = join(folder.path, 'commit.log');
  const wish = async (more: Partial<CommitRequest> = {}): Promise<CommitRequest> => {
    const sight = await git.look();
    const tree = sight?.tree ?? 'no tree';
    const usual = { git: ['git'], flags: [], message: 'as wished', marker, logFile, timeoutMs: 60_000 };
    return { ...usual, parent: sight?.head ?? null, tree, treeAfter: tree, ...more };
  };
  return { git, marker, logFile, wish, commit: async (more, signal = never) => await git.commit(await wish(more), signal) };
}
