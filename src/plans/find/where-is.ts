import type { CrewPorts } from '../../engine/ports/ports.ts';
import { gitAt } from '../../workspace/worktrees/git-at.ts';

/** Looks for a result from the checkout at home. The branch is the one that is checked out there, unless it is known. */
export function whereIsAt(home: string, env: Readonly<Record<string, string>>, base?: string): CrewPorts['whereIs'] {
  const git = gitAt(home, env);
  const isIn = async (commit: string, ref: string) => (await git(['merge-base', '--is-ancestor', commit, ref])).code === 0;
  return async (commit) => {
    if (await isIn(commit, 'HEAD')) return 'checkout';
    const branch = base ?? (await git(['symbolic-ref', '--quiet', '--short', 'HEAD'])).stdout.trim();
    return (await isIn(commit, `refs/ralph/base/${branch}`)) ? 'base' : 'elsewhere';
  };
}
