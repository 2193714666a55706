import type { CommitAnswer, CommitWish, MadeCommit } from '../../engine/ports/git.ts';
import { oneLine } from '../../kit/pure/one-line.ts';
import { headOf } from './git-command.ts';
import { findCommit, firstParentLine } from './git-find-commit.ts';
import { leftOut } from './git-left-out.ts';
import { treeOf } from './git-look.ts';
import { obstacle } from './git-obstacle.ts';
import type { CommitPlace } from './git-place.ts';
import { putIntoIndex } from './git-stage.ts';
import { differingPaths, withTree } from './git-tree.ts';
import { type CommandAnswer, runUsersCommand } from './git-users-command.ts';

type Refused = Exclude<CommitAnswer, { kind: 'made' }>;

/** Whether it was made is read from HEAD, not from how git ended: one that is killed in its last hook has committed all the same. */
export async function commit(place: CommitPlace, wish: CommitWish, signal: AbortSignal): Promise<CommitAnswer> {
  try {
    const seen = await lookAgain(place, wish);
    if (seen.kind !== 'as-wished') return seen;
    const staged = await putIntoIndex(place, wish, signal);
    if (!staged.isClean) return failed(staged.detail);
    const moved = await movedHead(place, wish);
    if (moved) return moved;
    const ended = await runCommit(place, wish, signal);
    const made = await whatWasMade(place, wish, ended);
    if (made) return { kind: 'made', ...made, leftOut: seen.leftOut };
    return failed(ended.isClean ? await whereItWent(place, wish) : ended.detail);
  } catch (error) {
    return failed(oneLine((error as Error).message));
  }
}

/**
 * Hooks run, and what the user has set holds, but for what would change the text or the tree, or leave a clean-up running behind us.
 * Ours come last, so that they win over the operator's: no `-a` adds what the gates left, no `-e` waits for an editor.
 */
async function runCommit({ cwd, env, guardian }: CommitPlace, wish: CommitWish, signal: AbortSignal): Promise<CommandAnswer> {
  const [file = 'git', ...words] = wish.git;
  const ways = ['i18n.commitEncoding=UTF-8', 'gc.auto=0', 'maintenance.auto=false'].flatMap((setting) => ['-c', setting]);
  const last = ['--no-all', '--no-edit', '--quiet', '--cleanup=verbatim', `--message=${wish.message}`];
  const args = [...words, ...ways, 'commit', ...wish.flags, ...last];
  return await runUsersCommand({ file, args, cwd, env, guardian, timeoutMs: wish.timeoutMs }, wish, signal);
}

/** A git that ended well has made HEAD, whatever its hooks made of the message and the tree; any other commit must be known by one of them. */
async function whatWasMade({ git }: CommitPlace, wish: CommitWish, { isClean }: CommandAnswer): Promise<MadeCommit | null> {
  const [head] = await firstParentLine(git, 1);
  if (isClean && head && head.commit !== wish.parent && head.parent === wish.parent) return { commit: head.commit, tree: head.tree };
  return await findCommit(git, wish);
}

/** Git takes no word on what a commit must lie on, so between our last look and its first somebody may just slip in. */
async function whereItWent({ git }: CommitPlace, { parent, tree }: CommitWish): Promise<string> {
  const [head] = await firstParentLine(git, 1);
  if (head?.tree !== tree || head.commit === parent) return 'git ended well, but there is no such commit';
  return `somebody else committed at the same moment: ${short(head.commit)} lies on ${short(head.parent)}, not on ${short(parent)}`;
}

type Seen = Refused | { readonly kind: 'as-wished'; readonly leftOut: readonly string[] };

async function lookAgain(place: CommitPlace, wish: CommitWish): Promise<Seen> {
  const moved = await movedHead(place, wish);
  if (moved) return moved;
  if (wish.message.includes('\0')) return failed('the message has a NUL character, which git does not take');
  const inTheWay = await obstacle(place, wish.git);
  if (inTheWay !== null) return failed(inTheWay);
  const parentTree = wish.parent === null ? null : await treeOf(place.git, wish.parent);
  if (wish.tree === parentTree) return failed('there is nothing to commit: the tree is that of its parent');
  return await compareFiles(place, wish);
}

async function compareFiles({ git, scratch }: CommitPlace, wish: CommitWish): Promise<Seen> {
  const { tree, problem, more } = await withTree(git, scratch, async (named, own) =>
    [wish.tree, wish.treeAfter].includes(named.tree)
      ? { leftOut: await leftOut(git, { ...wish, said: named.said }, own), changed: [] }
      : { leftOut: [], changed: await differingPaths(git, { from: wish.tree, to: named.tree, own }) },
  );
  if (tree === null || more === null) return failed(oneLine(problem ?? 'the working copy cannot be read'));
  if (tree === wish.tree || tree === wish.treeAfter) return { kind: 'as-wished', leftOut: more.leftOut };
  return { kind: 'changed', detail: `the working copy was changed after the gates: ${listed(more.changed)}` };
}

async function movedHead({ git }: CommitPlace, { parent }: CommitWish): Promise<Refused | null> {
  const head = await headOf(git);
  return head === parent ? null : { kind: 'changed', detail: `HEAD was at ${short(parent)} and is at ${short(head)} now` };
}

const failed = (detail: string): Refused => ({ kind: 'failed', detail });

const short = (commit: string | null) => commit?.slice(0, 12) ?? 'no commit';

const NAMED = 3;

function listed(paths: readonly string[]): string {
  const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : '';
  return oneLine(paths.slice(0, NAMED).join(', ')) + more;
}
