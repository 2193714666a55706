import { OperatorError } from '../../kit/pure/operator-error.ts';
import { firstComplaint, type Git, untilUnlocked } from '../git/git-command.ts';

export interface ListedWorktree {
  readonly path: string;
  /** The short name; null if HEAD is detached. */
  readonly branch: string | null;
  /** Null before the first commit. */
  readonly head: string | null;
  /** Null if it is not locked; empty if the lock has no reason. */
  readonly lockedFor: string | null;
  /** Its folder is gone. */
  readonly isPrunable: boolean;
  /** A repository without a work tree. */
  readonly isBare: boolean;
}

/** The main worktree comes first. Git cannot list them while another git is making one. */
export async function listedWorktrees(git: Git): Promise<readonly ListedWorktree[]> {
  const listed = await untilUnlocked(() => git(['worktree', 'list', '--porcelain', '-z']));
  if (listed.code !== 0)
    throw new OperatorError('git-refuses', `git cannot list the worktrees: ${firstComplaint(listed)}`, {
      hint: 'Try it by hand: git worktree list. A run that had started continues with: ralph runs resume',
      exitCode: 4,
    });
  return listed.stdout
    .split('\0\0')
    .filter((block) => block !== '')
    .map((block) => read(new Map(block.split('\0').map(splitAtSpace))));
}

function splitAtSpace(line: string): [string, string] {
  const space = line.indexOf(' ');
  return space === -1 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)];
}

function read(lines: ReadonlyMap<string, string>): ListedWorktree {
  const head = lines.get('HEAD') ?? '';
  return {
    path: lines.get('worktree') ?? '',
    branch: lines.get('branch')?.replace(/^refs\/heads\//, '') ?? null,
    head: /^0*$/.test(head) ? null : head,
    lockedFor: lines.get('locked') ?? null,
    isPrunable: lines.has('prunable'),
    isBare: lines.has('bare'),
  };
}
