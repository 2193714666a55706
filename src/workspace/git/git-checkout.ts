import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import type { Checkout } from '../../engine/ports/git.ts';
import { identityOf, livenessOf } from '../../process/identity.ts';
import type { ProcessIdentity } from '../../process/process-request.ts';
import { listedWorktrees } from '../worktrees/git-worktree-list.ts';
import { firstComplaint, type Git, headOf, untilUnlocked } from './git-command.ts';
import { openFolders } from './git-open-folders.ts';
import { type HistoryPlace, OUR_NAME, treeOf } from './git-place.ts';

const FOLDER = 'ralph-checkout-';
/** Why the worktree is locked: nobody prunes it, and whoever comes later knows whose it was. */
const REASON = 'ralph ';

/**
 * A worktree of the user's repository, so that checks can ask git and find all branches; without hooks, with filters. It is as far below the
 * top of the checkout as we work below the top of the repository. What an earlier one left that died is removed first.
 */
export async function checkOut(place: HistoryPlace, tree: string): Promise<Checkout> {
  const { git, cwd, topLevel } = place;
  await removeAbandoned(git);
  const commit = await commitWith(git, tree);
  const folder = await realpath(await mkdtemp(join(tmpdir(), FOLDER)));
  const top = join(folder, basename(topLevel) || 'repository');
  const reason = REASON + JSON.stringify(identityOf(process.pid));
  const words = ['-c', 'submodule.recurse=false', 'worktree', 'add', '--quiet', '--detach', '--lock', '--reason', reason, top, commit];
  const added = await untilUnlocked(() => git(words, {}));
  if (added.code !== 0) {
    await remove(git, top);
    throw new Error(`no fresh checkout can be made: ${firstComplaint(added)}`);
  }
  const path = join(top, relative(topLevel, await realpath(cwd)));
  await mkdir(path, { recursive: true });
  return { path, [Symbol.asyncDispose]: () => remove(git, top) };
}

/** HEAD itself when it holds the tree, else one that lies on it and that nothing names: git cleans it up in time. */
async function commitWith(git: Git, tree: string): Promise<string> {
  const head = await headOf(git);
  if (head !== null && (await treeOf(git, head)) === tree) return head;
  const made = await git(['commit-tree', tree, ...(head === null ? [] : ['-p', head]), '-m', 'What the checks look at'], OUR_NAME);
  if (made.code !== 0) throw new Error(firstComplaint(made));
  return made.stdout.trim();
}

async function removeAbandoned(git: Git): Promise<void> {
  for (const { path, lockedFor } of await listedWorktrees(git)) {
    if (!lockedFor?.startsWith(REASON) || !basename(dirname(path)).startsWith(FOLDER)) continue;
    if (isGone(lockedFor.slice(REASON.length))) await remove(git, path);
  }
}

function isGone(owner: string): boolean {
  try {
    return livenessOf(JSON.parse(owner) as ProcessIdentity) === 'dead';
  } catch {
    return false;
  }
}

/** First the files: whatever the checks have done to them, git's record of the worktree goes too. */
async function remove(git: Git, top: string): Promise<void> {
  const folder = dirname(top);
  await removeFolder(folder).catch(() => undefined);
  await untilUnlocked(() => git(['worktree', 'remove', '--force', '--force', top], {}));
}

async function removeFolder(folder: string): Promise<void> {
  const gone = await rm(folder, { recursive: true, force: true, maxRetries: 3 }).then(
    () => true,
    () => false,
  );
  if (gone) return;
  // Some tools make their caches read-only.
  const paths = (await readdir(folder, { recursive: true })).map(String);
  await openFolders(
    folder,
    paths.map((path) => join(path, 'x')),
  );
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
