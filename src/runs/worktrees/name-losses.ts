import { assertNever } from '../../kit/pure/assert-never.ts';
import { oneLine } from '../../kit/pure/one-line.ts';
import { gitAt } from '../../workspace/worktrees/git-at.ts';
import type { OurWorktree } from './our-worktrees.ts';
import { BRANCH_PREFIX } from '../../workspace/worktrees/own-worktree.ts';
import { notCommitted } from '../../workspace/worktrees/tell-what-stays-behind.ts';
import type { Loss } from './why-kept.ts';

const MOST_NAMED = 10;

interface Where {
  /** Where one stands. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The first paths that are not committed and the newest commits that are not merged, for who must decide whether they are needed; empty when there are none. */
export async function nameLosses(lost: readonly Loss[], worktree: OurWorktree, where: Where): Promise<string> {
  const named = await Promise.all(lost.map((loss) => nameLoss(loss, worktree, where)));
  return named.filter((text) => text !== '').join('. ');
}

async function nameLoss(loss: Loss, { path, branch }: OurWorktree, { cwd, env }: Where): Promise<string> {
  switch (loss) {
    case 'changes':
      return sentence('Not committed', await notCommitted(gitAt(path, env)));
    case 'commits':
      return branch === null ? '' : sentence('Not merged', await unmergedCommits(branch, { cwd, env }));
    default:
      return assertNever(loss);
  }
}

/** Newest first, each with the first line of its message. What other branches of ours have does not count: they may go with the next cleaning. */
async function unmergedCommits(branch: string, { cwd, env }: Where): Promise<readonly string[]> {
  const others = [`--exclude=${BRANCH_PREFIX}*`, '--branches', '--remotes', '--glob=refs/ralph/base/*', 'HEAD'];
  const { stdout } = await gitAt(cwd, env)(['log', '-z', '--format=%h %s', `refs/heads/${branch}`, '--not', ...others, '--']);
  return stdout.split('\0').filter(Boolean);
}

function sentence(what: string, all: readonly string[]): string {
  if (all.length === 0) return '';
  const more = all.length > MOST_NAMED ? `, and ${all.length - MOST_NAMED} more` : '';
  return `${what}: ${all.slice(0, MOST_NAMED).map(oneLine).join(', ')}${more}`;
}
