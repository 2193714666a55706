import { lstat, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { oneLine } from '../../kit/pure/text.ts';
import { firstComplaint, type Git, headOf, untilUnlocked, type Variables } from '../git/git-command.ts';
import { committedEntries, committedPaths, gitFolderIn, REMOVED, wouldBeObeyed } from '../git/git-folders.ts';
import { quotedInList } from '../git/git-scratch.ts';
import { SUBMODULE } from '../git/git-touched.ts';
import { isAtOrBelow } from '../isolated/tree-changes.ts';
import { isUnderWay } from '../tasks/git-task-open.ts';
import { GitTrouble, must } from '../tasks/locks.ts';
import type { Tips } from './make-own-git.ts';

export interface Crossing {
  /** Runs in the operator's work tree. */
  readonly git: Git;
  /** The top of that work tree. */
  readonly root: string;
  readonly commonDir: string;
  /** The git folder of this work tree only. */
  readonly gitDir: string;
  readonly before: Tips;
  readonly after: Tips;
  /** Paths that no commit of an agent may change, because the operator's git or Ralph obeys them. */
  readonly sealed: readonly string[];
  /** The ref prefix under which Ralph keeps what cannot land. */
  readonly keptBelow: string;
  /** A folder on the same disk as the objects, for this crossing only. */
  readonly folder: string;
  /** Called with all paths that the commits change, before anybody can see one of them; null if not needed. */
  readonly touches: ((names: readonly string[]) => Promise<void>) | null;
  /** Makes the agent's git pack the objects of these revisions, inside the sandbox, into that file. */
  readonly pack: (revisions: readonly string[], file: string) => Promise<void>;
}

/**
 * Brings over what an agent has committed in its own git: as objects that are checked before anybody can see them. The branch of the work tree follows if it
 * has only grown; everything else is kept under refs of Ralph's. Returns one line for each thing that the operator should know.
 */
export async function cross(crossing: Crossing): Promise<readonly string[]> {
  const { git, before, after, keptBelow } = crossing;
  const head = after.head === before.head ? null : after.head;
  const others = changedRefs(before, after);
  if (head === null && others.length === 0) return [];
  const tips = [...(head === null ? [] : [head]), ...others.slice(0, MOST_KEPT).map(([, id]) => id)];
  await bringObjects(crossing, tips);
  await tellTouched(crossing, tips);
  const told: string[] = [];
  const keep = async (name: string, id: string, why: string) => {
    const ref = `${keptBelow}/${name}`;
    must(await git(['update-ref', ref, id]), 'what an agent committed cannot be kept');
    told.push(`${why}: it is kept at ${ref}`);
  };
  const refused = head === null ? null : await land(crossing, head);
  if (head !== null && refused !== null) await keep('HEAD', head, refused);
  for (const [ref, id] of others.slice(0, MOST_KEPT)) {
    const isInTheBranch = refused === null && head !== null && (await git(['merge-base', '--is-ancestor', id, head])).code === 0;
    if (!isInTheBranch) await keep(ref.slice('refs/'.length), id, `an agent left ${ref} behind`);
  }
  if (others.length > MOST_KEPT) throw new GitTrouble(`an agent left ${others.length} refs behind, of which ${MOST_KEPT} are kept at ${keptBelow}`);
  return told;
}

const MOST_KEPT = 50;

async function tellTouched({ git, before, touches }: Crossing, tips: readonly string[]): Promise<void> {
  if (touches !== null) await touches(await committedPaths(git, tips, before.head));
}

/** One ref for each new object. What an agent has fetched is not its own work. */
function changedRefs(before: Tips, after: Tips): readonly (readonly [string, string])[] {
  const known = new Set([...before.tips.values(), after.head]);
  const news = [...after.tips].filter(([ref, id]) => !known.has(id) && !ref.startsWith('refs/remotes/'));
  return [...new Map(news.map(([ref, id]) => [id, [ref, id] as const])).values()];
}

/** Git reads all of them. An object that is not excluded is only packed again. */
const MOST_KNOWN = 1_000;

/** Keeps the objects in a separate store until all are checked: neither a broken object nor one that refers to a missing one comes further. */
export async function bringObjects(
  { git, commonDir, before, folder, pack }: Omit<Crossing, 'root' | 'gitDir' | 'after' | 'sealed' | 'keptBelow' | 'touches'>,
  tips: readonly string[],
): Promise<void> {
  const objects = join(folder, 'objects');
  const file = join(objects, 'pack', 'pack-agent.pack');
  // A crash may have left a partial store.
  await rm(objects, { recursive: true, force: true });
  await mkdir(join(objects, 'pack'), { recursive: true, mode: 0o700 });
  const known = [...new Set([...(before.head === null ? [] : [before.head]), ...before.tips.values()])].slice(0, MOST_KNOWN);
  await pack([...tips, ...known.map((id) => `^${id}`)], file);
  const apart: Variables = { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: quotedInList(join(commonDir, 'objects')) };
  const name = must(await git(['index-pack', '--strict', file], apart), 'what an agent committed is not sound');
  const missing = await git(['rev-list', '--objects', '--quiet', ...tips, '--not', ...(before.head === null ? [] : [before.head]), '--'], apart);
  must(missing, 'what an agent committed is not whole');
  await moveObjects(join(objects, 'pack'), join(commonDir, 'objects', 'pack'), name);
}

/** Moves the index of the pack last: from then on git reads the pack. */
async function moveObjects(from: string, to: string, name: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const names = await readdir(from);
  for (const end of ['.rev', '.pack', '.idx'])
    if (names.includes(`pack-agent${end}`)) await rename(join(from, `pack-agent${end}`), join(to, `pack-${name}${end}`));
}

/** Null if the branch has followed, else why not. */
async function land({ git, root, gitDir, before, sealed, folder }: Crossing, head: string): Promise<string | null> {
  if (!(await hasOnlyGrown(git, before.head, head))) return 'an agent has changed the history of the branch, which stays as it was';
  const changed = await committedEntries(git, head, before.head);
  if (changed.some(({ mode }) => mode === SUBMODULE)) return 'an agent has committed a repository in the repository, which does not come over';
  const there = changed.filter(({ mode }) => mode !== REMOVED).map(({ path }) => path);
  const gitFolder = await gitFolderIn(git, before.head, there);
  if (gitFolder !== null) return `what an agent has committed does not come over: ${wouldBeObeyed(oneLine(gitFolder))}`;
  const obeyed =
    sealed.length === 0 || before.head === null
      ? null
      : await changedAmong(
          { git, root },
          head,
          [...new Set(changed.map(({ path }) => path))].filter((path) => isAtOrBelow(path, sealed)),
        );
  if (obeyed !== null) return `an agent has committed another ${obeyed}, which your git or Ralph obeys, and that does not come over`;
  const moved = await untilUnlocked(() => git(['update-ref', '-m', 'ralph: what an agent committed', 'HEAD', head, before.head ?? '0'.repeat(head.length)]));
  // After a crash right here, HEAD is already moved.
  if (moved.code !== 0 && (await headOf(git)) !== head)
    return `the branch was moved by somebody else meanwhile (${firstComplaint(moved)}), and what an agent committed did not follow`;
  await followWithIndex({ git, gitDir, before, folder }, head);
  await endTheMerge(git, gitDir, head);
  return null;
}

async function hasOnlyGrown(git: Git, from: string | null, to: string): Promise<boolean> {
  if (from === null) return true;
  const { code, stderr } = await git(['merge-base', '--is-ancestor', from, to]);
  if (code !== 0 && code !== 1) throw new GitTrouble(`what an agent committed cannot be compared: ${firstComplaint({ stderr })}`);
  return code === 0;
}

/** The first of them that is not what the operator has on disk; null if there is none. No agent can write the operator's file. */
async function changedAmong({ git, root }: Pick<Crossing, 'git' | 'root'>, to: string, changed: readonly string[]): Promise<string | null> {
  for (const path of changed) if (!(await isOfTheOperator({ git, root }, to, path))) return path;
  return null;
}

/** Read without the operator's filters, which could run a program. Only line ends may differ. */
async function isOfTheOperator({ git, root }: Pick<Crossing, 'git' | 'root'>, commit: string, path: string): Promise<boolean> {
  const isFile = await lstat(join(root, path)).then(
    (found) => found.isFile(),
    () => false,
  );
  const { code, stdout } = await git(['--literal-pathspecs', 'ls-tree', '-z', commit, '--', path]);
  const [, blob] = (isFile && code === 0 && /^100\d{3} blob ([0-9a-f]+)\t/.exec(stdout)) || [];
  if (blob === undefined) return false;
  const committed = must(await git(['cat-file', 'blob', blob]), 'what an agent committed cannot be read');
  const withUnixLines = (text: string) => text.replaceAll('\r\n', '\n');
  return withUnixLines(committed).trimEnd() === withUnixLines(await readFile(join(root, path), 'utf8')).trimEnd();
}

const NOT_FOLLOWED = 'the index cannot follow what an agent committed';

/** Updates the index to HEAD for the paths that the agent committed; what the operator has staged elsewhere stays staged. */
async function followWithIndex({ git, gitDir, before, folder }: Pick<Crossing, 'git' | 'gitDir' | 'before' | 'folder'>, head: string): Promise<void> {
  const { head: from } = before;
  // Git would have to be asked for it.
  const index = { GIT_INDEX_FILE: join(gitDir, 'index') };
  if (from === null) {
    must(await untilUnlocked(() => git(['read-tree', '-m', head], index)), NOT_FOLLOWED);
    return;
  }
  if ((await untilUnlocked(() => git(['read-tree', '-m', '-i', from, head], index))).code === 0) return;
  const paths = join(folder, 'paths');
  must(await git(['diff-tree', '-r', '-z', '--name-only', '--no-renames', `--output=${paths}`, from, head]), 'what an agent committed cannot be compared');
  must(await untilUnlocked(() => git(['reset', '--quiet', `--pathspec-from-file=${paths}`, '--pathspec-file-nul', head], {})), NOT_FOLLOWED);
  await rm(paths, { force: true });
}

/** A merge that the loop had begun is over once its other side is in the branch. */
async function endTheMerge(git: Git, gitDir: string, head: string): Promise<void> {
  if (!(await isUnderWay({ admin: gitDir }))) return;
  const { code } = await git(['merge-base', '--is-ancestor', 'MERGE_HEAD', head]);
  if (code === 0) must(await git(['merge', '--quit'], {}), 'the merge cannot be ended');
}
