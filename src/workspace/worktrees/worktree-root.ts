import { mkdir, realpath, rmdir } from 'node:fs/promises';
import type { GitCli } from '../git/git-cli.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { isInside } from './is-inside.ts';

/** Makes the folder worktrees lie in, and names it without links, as git will list what is in it. */
export async function makeRoot(git: GitCli, wanted: string | null): Promise<string> {
  const root = wanted ?? (await git.worktrees.root());
  if (root === git.topLevel || isInside(git.topLevel, root)) throw insideOfRepository(root);
  try {
    await mkdir(root, { recursive: true });
  } catch (cause) {
    throw new OperatorError('worktree-failed', `cannot make the folder for worktrees ${root}: ${(cause as Error).message}`, {
      hint: 'Make the folder above it writable, or name another one in worktree.root of the settings.',
      exitCode: 4,
      cause,
    });
  }
  const real = await realpath(root);
  if (real === git.topLevel || isInside(git.topLevel, real)) throw insideOfRepository(real);
  return real;
}

/** Whoever took the last worktree away leaves no empty folder behind; one that the operator named is theirs. */
export async function removeRootIfEmpty(root: string): Promise<void> {
  await rmdir(root).catch(() => undefined);
}

/** There searchers, test runners and git itself would find every file twice. */
function insideOfRepository(root: string): OperatorError {
  return new OperatorError('worktree-root', `worktree.root lies inside of the repository: ${root}`, {
    hint: 'Name a folder outside of it; without worktree.root it is one beside the repository.',
    exitCode: 2,
  });
}
