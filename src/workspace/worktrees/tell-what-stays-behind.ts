import type { Git } from '../git/git-command.ts';

const NAMED = 3;

/** The uncommitted paths of the operator's work tree, relative to its top. */
export async function notCommitted(git: Git): Promise<readonly string[]> {
  const { stdout } = await git(['--no-optional-locks', 'status', '--porcelain', '-z', '--no-renames', '--untracked-files=normal']);
  return stdout
    .split('\0')
    .filter(Boolean)
    .map((change) => change.slice(3).replace(/\/$/, ''));
}

/** Prints one line, or none. Leaves out settings, which are read in the operator's folder, and what was brought along. */
export function tellWhatStaysBehind(paths: readonly string[], brought: readonly string[], warn: (text: string) => void): void {
  const isAtHand = (path: string) => /(^|\/)\.ralph(\/|$)/.test(path) || brought.some((along) => along === path || path.startsWith(`${along}/`));
  const left = paths.filter((path) => !isAtHand(path));
  if (left.length === 0) return;
  const more = left.length > NAMED ? ` and ${left.length - NAMED} more` : '';
  warn(`not committed, so not in the worktree: ${left.slice(0, NAMED).join(', ')}${more}`);
}
