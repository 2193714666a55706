import type { CommitAnswer, CommitRequest, MadeCommit } from '../../../engine/ports/git.ts';
import { oneLine } from '../../../kit/pure/text.ts';
import { withoutGitVariables } from '../../../sandbox/environment/environment.ts';
import type { Git } from '../git-command.ts';
import { type CommitPlace, headIn, knownTreeOf } from '../git-place.ts';
import { versionOf } from '../git-scratch.ts';
import { differingPaths, treeOfWorkingCopy, withTree } from '../git-tree.ts';
import { putEntries, stagedBesides } from '../without-dirt.ts';
import { keepIndex } from './git-kept-index.ts';
import { leftOut, obstacleToCommit } from './git-obstacle.ts';
import { type CommandAnswer, runUsersCommand } from './git-users-command.ts';
import { signed, UNSIGNED, wantsSignature } from './sign.ts';
import { putIntoIndex } from './stage.ts';

type Refused = Exclude<CommitAnswer, { kind: 'made' }>;

/**
 * Reads from HEAD whether the commit was made, not from git's exit code: a git that is killed in its last hook has committed anyway. If none was made, the
 * index is reverted.
 */
export async function commit(place: CommitPlace, request: CommitRequest, signal: AbortSignal): Promise<CommitAnswer> {
  try {
    const seen = await lookAgain(place, request);
    if (seen.kind !== 'as-wished') return seen;
    const index = await keepIndex(place.indexPath);
    const besides = request.judged === undefined ? [] : await stagedBesides(place, request);
    const answer = await stageAndCommit(place, request, signal).catch(told);
    if (!('kind' in answer)) {
      if (besides.length > 0) await putEntries(place, besides).catch(() => undefined);
      // The index now matches the tree, so Ralph's own files are in it as in HEAD.
      if (answer.tree === request.tree) place.known.cleanIndex = `${answer.commit} ${await versionOf(place.indexPath)}`;
      return { kind: 'made', ...answer, leftOut: seen.leftOut };
    }
    const stays = await index.putBack(async () => (await headIn(place)) === request.parent);
    return stays === null ? answer : { ...answer, detail: `${answer.detail}; ${stays}` };
  } catch (error) {
    return told(error);
  }
}

async function stageAndCommit(place: CommitPlace, request: CommitRequest, signal: AbortSignal): Promise<MadeCommit | Refused> {
  const staged = await putIntoIndex(place, request, signal);
  if (!staged.isClean) return failed(staged.detail);
  const moved = await movedHead(place, request);
  if (moved) return moved;
  const isSignedOutside = place.behind !== null && place.behind.wall?.mode !== 'guard' && (await wantsSignature(place.git, request, place.known));
  const ended = await runCommit(place, isSignedOutside ? { ...request, flags: [...request.flags, UNSIGNED] } : request, signal);
  const made = await whatWasMade(place, request, ended);
  if (made === null) return failed(ended.isClean ? await whereItWent(place, request) : ended.detail);
  return isSignedOutside ? await signAgain(place, made, request) : made;
}

/** If a hook has committed on top, Ralph does not sign that commit. */
async function signAgain(place: CommitPlace, made: MadeCommit, request: CommitRequest): Promise<MadeCommit | Refused> {
  const [head] = await firstParentLine(place.git, 1);
  if (head?.parent !== request.parent) return made;
  const answer = await signed(place, made, request);
  if ('refused' in answer) return failed(oneLine(answer.refused));
  place.known.trees.set(answer.commit, answer.tree);
  return answer;
}

/**
 * Hooks run and the operator's settings apply, except those that would change the message or the tree, or leave a clean-up process running. Our options come
 * last, so that they override the operator's: `-a` cannot add what the gates left, and `-e` cannot wait for an editor.
 */
async function runCommit({ cwd, env, guardian, behind }: CommitPlace, request: CommitRequest, signal: AbortSignal): Promise<CommandAnswer> {
  const [file = 'git', ...words] = request.git;
  const ways = ['i18n.commitEncoding=UTF-8', 'gc.auto=0', 'maintenance.auto=false'].flatMap((setting) => ['-c', setting]);
  const last = ['--no-all', '--no-edit', '--quiet', '--cleanup=verbatim', `--message=${request.message}`];
  const args = [...words, ...ways, 'commit', ...request.flags, ...last];
  return await runUsersCommand(
    { file, args, cwd, env, guardian, behind: behind && { ...behind, env: withoutGitVariables(behind.env) }, timeoutMs: request.timeoutMs },
    request,
    signal,
  );
}

/**
 * If git ended well, HEAD is the commit, whatever its hooks did to the message and the tree. Any other commit must have the message or the tree. A commit
 * that a hook made on top belongs to the hook: no gate has judged it, and HEAD is what the operator has now.
 */
async function whatWasMade({ git, known }: CommitPlace, request: CommitRequest, { isClean }: CommandAnswer): Promise<MadeCommit | null> {
  const [head] = await firstParentLine(git, 1);
  if (!head || head.commit === request.parent) return null;
  known.trees.set(head.commit, head.tree);
  const isMade = (isClean && head.parent === request.parent) || (await findCommit(git, request)) !== null;
  return isMade ? { commit: head.commit, tree: head.tree } : null;
}

/** Git cannot be told which parent a commit must have, so somebody may commit between our last check and git's first. */
async function whereItWent({ git }: CommitPlace, { parent, tree }: CommitRequest): Promise<string> {
  const [head] = await firstParentLine(git, 1);
  if (head?.tree !== tree || head.commit === parent) return 'git ended well, but there is no such commit';
  return `somebody else committed at the same moment: ${short(head.commit)} lies on ${short(head.parent)}, not on ${short(parent)}`;
}

type Seen = Refused | { readonly kind: 'as-wished'; readonly leftOut: readonly string[] };

async function lookAgain(place: CommitPlace, request: CommitRequest): Promise<Seen> {
  const moved = await movedHead(place, request);
  if (moved) return moved;
  if (request.message.includes('\0')) return failed('the message has a NUL character, which git does not take');
  const inTheWay = await obstacleToCommit(place, request.git);
  if (inTheWay !== null) return failed(inTheWay);
  const parentTree = request.parent === null ? null : await knownTreeOf(place, request.parent);
  if (request.tree === parentTree) return failed('there is nothing to commit: the tree is that of its parent');
  return await compareFiles(place, request);
}

async function compareFiles(place: CommitPlace, request: CommitRequest): Promise<Seen> {
  const { git, scratch } = place;
  const { tree, said } = await treeOfWorkingCopy(place);
  if (tree !== null && [request.judged ?? request.tree, request.treeAfter].includes(tree))
    return { kind: 'as-wished', leftOut: await leftOut(git, { ...request, said }, await scratch.ready()) };
  const { problem, more } = await withTree(git, scratch, (named, own) => differingPaths(git, { from: request.judged ?? request.tree, to: named.tree, own }));
  if (more === null) return failed(oneLine(problem ?? 'the working copy cannot be read'));
  return { kind: 'changed', detail: `the working copy was changed after the gates: ${listed(more)}` };
}

async function movedHead(place: CommitPlace, { parent }: CommitRequest): Promise<Refused | null> {
  const head = await headIn(place);
  return head === parent ? null : { kind: 'changed', detail: `HEAD was at ${short(parent)} and is at ${short(head)} now` };
}

const told = (error: unknown): Refused => failed(oneLine((error as Error).message));

const failed = (detail: string): Refused => ({ kind: 'failed', detail });

const short = (commit: string | null) => commit?.slice(0, 12) ?? 'no commit';

const NAMED = 3;

function listed(paths: readonly string[]): string {
  const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : '';
  return oneLine(paths.slice(0, NAMED).join(', ')) + more;
}

/** The loop that made the commit has died since, so only what people committed meanwhile is on top of it. */
const LONGEST_WAY = 1_000;

interface FoundCommit extends MadeCommit {
  /** The first parent; null for a root commit. */
  readonly parent: string | null;
}

/** On the first-parent line only one commit can be directly above a parent. It counts if it has the message or the tree. */
export async function findCommit(git: Git, request: Pick<CommitRequest, 'parent' | 'message' | 'tree'>): Promise<MadeCommit | null> {
  const found = (await firstParentLine(git, LONGEST_WAY)).find(({ parent }) => parent === request.parent);
  if (found === undefined) return null;
  if (found.tree !== request.tree && !(await bears(git, found.commit, request.message))) return null;
  return { commit: found.commit, tree: found.tree };
}

/** From HEAD backwards. Empty before the first commit, or if git fails. */
export async function firstParentLine(git: Git, longest: number): Promise<readonly FoundCommit[]> {
  const { stdout } = await git(['rev-list', '--first-parent', `--max-count=${longest}`, '--format=%H %T %P', 'HEAD', '--']);
  return stdout
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('commit '))
    .map((line) => line.split(' '))
    .map(([commit = '', tree = '', parent]) => ({ commit, tree, parent: parent || null }));
}

/** Ignores white space at the end. Git writes half of a surrogate pair as the replacement character, so the message is compared in that form. */
async function bears(git: Git, commit: string, message: string): Promise<boolean> {
  const { code, stdout } = await git(['cat-file', 'commit', commit]);
  const body = stdout.slice(stdout.indexOf('\n\n') + 2);
  return code === 0 && body.trimEnd() === Buffer.from(message).toString().trimEnd();
}
