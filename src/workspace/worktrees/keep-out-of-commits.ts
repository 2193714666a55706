import { sep } from 'node:path';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import type { Git } from '../git/git-command.ts';
import { exclude } from '../git-exclude.ts';

interface Places {
  /** Git at the top of the operator's work tree, and of the new one. */
  readonly here: Git;
  readonly there: Git;
  readonly commonDir: string;
}

/**
 * The loop must not commit what it brought along: a `.env` is a secret, and a pattern that ends with a slash does not match a link named `node_modules`. What
 * git does not ignore yet is added to the repository's own exclude file.
 */
export async function keepOutOfCommits(paths: readonly string[], places: Places, warn: (text: string) => void): Promise<void> {
  for (const path of paths) {
    const isIgnored = (git: Git) => ignores(git, path);
    if (await isIgnored(places.there)) continue;
    const wasIgnored = await isIgnored(places.here);
    await exclude([patternOf(path)], 'comes along into worktrees of ralph', places.commonDir);
    if (!(await isIgnored(places.there))) throw wouldBeCommitted(path);
    if (!wasIgnored) warn(`${path} was not ignored by git; it is now (.git/info/exclude), so that no run commits it`);
  }
}

async function ignores(git: Git, path: string): Promise<boolean> {
  return (await git(['check-ignore', '--quiet', '--', `./${path}`])).code === 0;
}

/** A pattern for exactly this path, whatever characters it has. */
function patternOf(path: string): string {
  const escaped = path
    .split(sep)
    .join('/')
    .replaceAll(/[\\*?[\]!# ]/g, '\\$&');
  return `/${escaped}`;
}

function wouldBeCommitted(path: string): OperatorError {
  return new OperatorError('worktree-path', `${path} comes along into the worktree, but git does not ignore it, so it would be committed there`, {
    hint: 'Add it to .gitignore and commit that, or leave it out of worktree.copy and worktree.link.',
    exitCode: 2,
  });
}
