import type { CommitWish, MadeCommit } from '../../engine/ports/git.ts';
import { type Git, headOf } from './git-command.ts';

/** A commit that is looked for was made by a loop that died since: only what people did meanwhile lies on top of it. */
const LONGEST_WAY = 1_000;

interface FoundCommit extends MadeCommit {
  /** The first one; null for the first commit of all. */
  readonly parent: string | null;
}

/** On the first-parent line only one commit can lie right above a parent: it counts if it bears the message or the tree. */
export async function findCommit(git: Git, wish: Pick<CommitWish, 'parent' | 'message' | 'tree'>): Promise<MadeCommit | null> {
  const found = (await firstParentLine(git, LONGEST_WAY)).find(({ parent }) => parent === wish.parent);
  if (found === undefined) return null;
  if (found.tree !== wish.tree && !(await bears(git, found.commit, wish.message))) return null;
  return { commit: found.commit, tree: found.tree };
}

/** From HEAD downwards. Empty before the first commit, and when git cannot say. */
export async function firstParentLine(git: Git, longest: number): Promise<readonly FoundCommit[]> {
  if ((await headOf(git).catch(() => null)) === null) return [];
  const { stdout } = await git(['rev-list', '--first-parent', `--max-count=${longest}`, '--format=%H %T %P', 'HEAD', '--']);
  return stdout
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('commit '))
    .map((line) => line.split(' '))
    .map(([commit = '', tree = '', parent]) => ({ commit, tree, parent: parent || null }));
}

/** White space at its end aside. A half of a character is written as the sign for what cannot be written, so it is compared so. */
async function bears(git: Git, commit: string, message: string): Promise<boolean> {
  const { code, stdout } = await git(['cat-file', 'commit', commit]);
  const body = stdout.slice(stdout.indexOf('\n\n') + 2);
  return code === 0 && body.trimEnd() === Buffer.from(message).toString().trimEnd();
}
