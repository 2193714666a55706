import { firstComplaint, type Git } from '../git/git-command.ts';

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

/** The main worktree comes first. */
export async function listedWorktrees(git: Git): Promise<readonly ListedWorktree[]> {
  const listed = await git(['worktree', 'list', '--porcelain', '-z']);
  if (listed.code !== 0) throw new Error(firstComplaint(listed));
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
