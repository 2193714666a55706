import { lstatSync, rmdirSync, symlinkSync } from 'node:fs';
import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { Checkout, CheckoutRequest, TreeFile } from '../../engine/ports/git.ts';
import { openFolders } from '../../kit/files/write.ts';
import { identityOf, livenessOf } from '../../process/identity.ts';
import type { ProcessIdentity } from '../../process/process-request.ts';
import { makeTemporaryFolder } from '../../process/temporary-folder.ts';
import { bytesAt, found, placed, placedFor } from '../isolated/carry.ts';
import { bringIgnored } from '../isolated/ignored.ts';
import { bringFolders, isEmpty } from '../isolated/ignored-folders.ts';
import { listedWorktrees } from '../worktrees/git-worktree-list.ts';
import { firstComplaint, type Git, untilUnlocked } from './git-command.ts';
import { feedGit } from './git-feed.ts';
import { type GitPlace, type HistoryPlace, headIn, knownTreeOf, type ListedTree, OUR_NAME } from './git-place.ts';

const PURPOSE = 'checkout';
/** The reason for the lock: it keeps git from pruning the worktree and names the process that owns it. */
const REASON = 'ralph ';

/**
 * A worktree of the operator's repository, so that checks can use git and find all branches; without hooks, with filters. The path is as far below its top as
 * the workspace is below the top of the repository. What a dead process left is removed first.
 */
export async function checkOut(place: HistoryPlace, tree: string, request: CheckoutRequest | null = null): Promise<Checkout> {
  const { git, cwd, topLevel } = place;
  await removeAbandoned(git);
  const commit = await commitWith(place, tree);
  const folder = await makeTemporaryFolder(PURPOSE);
  const top = join(folder, basename(topLevel) || 'repository');
  const reason = REASON + JSON.stringify(identityOf(process.pid));
  const words = ['-c', 'submodule.recurse=false', 'worktree', 'add', '--quiet', '--detach', '--lock', '--reason', reason, top, commit];
  const path = join(top, relative(topLevel, await realpath(cwd)));
  const make = async () => {
    const added = await untilUnlocked(() => git(words, {}));
    if (added.code !== 0) throw new Error(`no fresh checkout can be made: ${firstComplaint(added)}`);
    await mkdir(path, { recursive: true });
    const shared = request === null ? [] : await bringIgnoredOf(place, top, { tree, ...request });
    if (request?.ignored === 'stand-in') await makeStandIn(place, top);
    return shared;
  };
  const renew = async () => {
    await remove(git, top);
    await mkdir(folder, { mode: 0o700 });
    await make();
  };
  try {
    return { path, top, shared: await make(), renew, [Symbol.asyncDispose]: () => remove(git, top) };
  } catch (error) {
    await remove(git, top);
    throw error;
  }
}

/** Brings the operator's ignored files, such as node_modules and `.env`: as a copy, or as a link if a copy would be too large. */
async function bringIgnoredOf(
  place: HistoryPlace,
  top: string,
  { tree, ignored: how }: CheckoutRequest & { readonly tree: string },
): Promise<readonly string[]> {
  const { git, topLevel, env } = place;
  const root = await realpath(topLevel);
  const listed = await git(['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z', '--full-name', ':/']);
  if (listed.code !== 0) throw new Error(firstComplaint(listed));
  const { submodules } = await listTree(place, tree);
  const ignored = [...listed.stdout.split('\0').filter(Boolean), ...submodules.map((path) => `${path}/`)].map(asTreePath);
  const { shared } = await bringFolders([], { ignored, known: [] }, { root, tree: top, folder: dirname(top), env });
  await bringIgnored(ignored, {}, { from: root, to: top, workshop: null, shared });
  if (how === 'stand-in') return placedFor(top, root, shared).map((path) => Buffer.from(path, 'latin1').toString());
  for (const path of shared) linkTo(root, top, path);
  return [];
}

/** The sandbox mounts the process's own git over `.git`, so this must be a folder where the work tree has one. */
async function makeStandIn({ topLevel }: HistoryPlace, top: string): Promise<void> {
  const isFolder = lstatSync(join(topLevel, '.git')).isDirectory();
  if (!isFolder) return;
  await rm(join(top, '.git'), { force: true });
  await mkdir(join(top, '.git'));
}

/** The bytes of a name, as git has them. */
const asTreePath = (name: string) => Buffer.from(name).toString('latin1');

function linkTo(root: string, top: string, path: string): void {
  if (isEmpty(top, path) && placed(top, [path]).length > 0) rmdirSync(bytesAt(top, path));
  if (found(bytesAt(top, path)) === undefined) symlinkSync(bytesAt(root, path), bytesAt(top, path));
}

/** HEAD itself if it has the tree, else a commit on top of it without a ref, which git removes in time. */
async function commitWith(place: HistoryPlace, tree: string): Promise<string> {
  const head = await headIn(place);
  if (head !== null && (await knownTreeOf(place, head)) === tree) return head;
  const made = await place.git(['commit-tree', tree, ...(head === null ? [] : ['-p', head]), '-m', 'What the checks look at'], OUR_NAME);
  if (made.code !== 0) throw new Error(firstComplaint(made));
  return made.stdout.trim();
}

async function removeAbandoned(git: Git): Promise<void> {
  for (const { path, lockedFor } of await listedWorktrees(git)) {
    if (!lockedFor?.startsWith(REASON) || !basename(dirname(path)).startsWith(`ralph-${PURPOSE}-`)) continue;
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

/** Removes the files first, so that git's record of the worktree goes too, whatever the checks did to the files. */
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

const MOST_FILE_BYTES = 64 * 1024 * 1024;

/** The base of a run and the claimed tree. A large tree takes much memory. */
const MOST_TREES = 2;

/** A tree never changes, so it is listed only once. */
export async function listTree({ git, known }: Pick<GitPlace, 'git' | 'known'>, tree: string): Promise<ListedTree> {
  const listed = known.files.get(tree) ?? (await list(git, tree));
  known.files.delete(tree);
  known.files.set(tree, listed);
  for (const old of [...known.files.keys()].slice(0, -MOST_TREES)) known.files.delete(old);
  return listed;
}

async function list(git: Git, tree: string): Promise<ListedTree> {
  const listed = await git(['ls-tree', '-r', '-z', '--full-tree', tree]);
  if (listed.code !== 0) throw new Error(firstComplaint(listed));
  const files = new Map<string, TreeFile>();
  const submodules: string[] = [];
  for (const line of listed.stdout.split('\0').filter(Boolean)) {
    // `100644 blob <id>\t<path>`
    const tab = line.indexOf('\t');
    const [mode = '', kind, id = ''] = line.slice(0, tab).split(' ');
    if (kind === 'blob') files.set(line.slice(tab + 1), { mode, id });
    else if (kind === 'commit') submodules.push(line.slice(tab + 1));
  }
  return { files, submodules };
}

const MOST_BYTES_OF_ALL = 256 * 1024 * 1024;

export async function bytesOfAll(place: Pick<GitPlace, 'cwd' | 'env'>, ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  if (ids.length === 0) return found;
  const fed = await feedGit(place, { args: ['cat-file', '--batch'], stdin: `${ids.join('\n')}\n`, mostBytes: MOST_BYTES_OF_ALL });
  // Each is `<id> blob <size>`, a line end, the bytes, and another line end.
  for (let at = 0; at < fed.stdout.length; ) {
    const end = fed.stdout.indexOf(10, at);
    const [id = '', kind, size] = String(fed.stdout.subarray(at, end)).split(' ');
    const next = kind === 'missing' ? end + 1 : end + Number(size) + 2;
    if (end === -1 || !(next <= fed.stdout.length)) break;
    if (kind === 'blob') found.set(id, fed.stdout.subarray(end + 1, next - 1));
    at = next;
  }
  return found;
}

export async function bytesOf(place: Pick<GitPlace, 'cwd' | 'env'>, id: string): Promise<Uint8Array> {
  const fed = await feedGit(place, { args: ['cat-file', 'blob', id], mostBytes: MOST_FILE_BYTES });
  if (!fed.isWhole) throw new Error(fed.stderr.trim().split('\n')[0] || `git cannot read ${id}`);
  return fed.stdout;
}
