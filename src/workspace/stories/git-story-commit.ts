import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommitRequest } from '../../engine/ports/git.ts';
import { makeTemporaryFolder } from '../../process/temporary-folder.ts';
import { commit } from '../git/commit/commit.ts';
import { putIntoIndex } from '../git/commit/stage.ts';
import { OUR_NAME } from '../git/git-place.ts';
import { named } from '../tasks/git-task-place.ts';
import { GitTrouble, must } from '../tasks/locks.ts';
import type { StoryRepo } from './git-story-place.ts';

interface Left {
  readonly parent: string;
  readonly tree: string;
  readonly message: string;
}

/** Commits with the project's hooks. Null on success, else one line with the hooks' complaint. Everything that they started has ended. */
export async function commitWithHooks(repo: StoryRepo, left: Left): Promise<string | null> {
  await using log = await openLog();
  const named = (await isNameless(repo)) ? OUR_NAME : {};
  const behind = repo.behind && { ...repo.behind, env: { ...repo.behind.env, ...named } };
  const answer = await commit({ ...repo, env: { ...repo.env, ...named }, behind }, wishOf(repo, left, log.file), repo.signal);
  return answer.kind === 'made' ? null : answer.detail;
}

/** Commits without any hook, so that leftovers are not lost because a hook refuses them. */
export async function commitPlainly(repo: StoryRepo, left: Left): Promise<void> {
  await using log = await openLog();
  const staged = await putIntoIndex(repo, wishOf(repo, left, log.file), new AbortController().signal);
  if (!staged.isClean) throw new GitTrouble(`what is left cannot be committed: ${staged.detail}`);
  const words = ['--quiet', '--no-verify', '--allow-empty-message', '--cleanup=verbatim', `--message=${left.message}`];
  must(await named(repo.git)(['commit', ...words], {}), 'what is left cannot be committed');
}

function wishOf({ marker, hookTimeoutMs: timeoutMs }: StoryRepo, left: Left, logFile: string): CommitRequest {
  return { ...left, git: ['git'], flags: [], treeAfter: left.tree, marker, logFile, timeoutMs };
}

async function isNameless({ git }: StoryRepo): Promise<boolean> {
  const asked = [await git(['var', 'GIT_AUTHOR_IDENT']), await git(['var', 'GIT_COMMITTER_IDENT'])];
  return asked.some(({ code }) => code !== 0);
}

async function openLog(): Promise<AsyncDisposable & { readonly file: string }> {
  const folder = await makeTemporaryFolder('hooks');
  return { file: join(folder, 'log'), [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
