import { copyFile, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathExists } from '../../kit/files/read.ts';
import { openFolders } from '../../kit/files/write.ts';
import { oneLine } from '../../kit/pure/text.ts';
import { baseRef, headRef, refsAmong } from './git-task-base.ts';
import type { TaskGit } from './git-task-place.ts';
import { lostCommits, seeWorktree, type TaskState } from './git-task-state.ts';
import { findWorktree, hasFolder, isReady, likelyAdmin, openNested, setUnready, type TaskWorktree } from './git-task-worktree.ts';
import { GitTrouble, must } from './locks.ts';

interface CloseWish {
  readonly path: string;
  readonly branch: string;
  readonly isMerged: boolean;
  readonly keepAs: string;
}

interface Closed {
  readonly kind: 'closed';
  readonly kept: string | null;
}

/** `landed`: the commit of that branch that is known to be on the base. A branch without work is on the base too, and is deleted as well. */
export async function closeTask(ground: TaskGit, { path, branch, keepAs }: CloseWish, landed: string | null): Promise<Closed> {
  const worktree = await findWorktree(ground, path);
  const isWhole = worktree !== null && (await isReady(worktree));
  const kept = isWhole ? await keepWhatIsLeft(ground, worktree, { branch, keepAs }) : await keptBefore(ground, keepAs);
  await removeTaskWorktree(ground, path);
  await deleteIfOnBase(ground, branch, landed);
  return { kind: 'closed', kept };
}

async function keptBefore(ground: TaskGit, keepAs: string): Promise<string | null> {
  return (await refsAmong(ground, [keepAs])).has(keepAs) ? keepAs : null;
}

/** Keeps uncommitted files, and commits that no ref names. Throws if something cannot be kept under a ref: then the worktree stays. */
async function keepWhatIsLeft(ground: TaskGit, worktree: TaskWorktree, request: Pick<CloseWish, 'branch' | 'keepAs'>): Promise<string | null> {
  const seen = (await hasFolder(worktree)) ? await seeWorktree(worktree) : null;
  await refuseToLose(worktree, seen);
  const head = seen?.head ?? (await ground.git([`--git-dir=${worktree.admin}`, 'rev-parse', '--verify', '--quiet', 'HEAD'])).stdout.trim();
  const isElsewhere = seen?.branch !== request.branch;
  const named = isElsewhere ? await namedCommits(ground, request.branch) : [head];
  const lost = await lostCommits(atAnyPlace(ground, worktree), named.filter(Boolean));
  const left = isElsewhere && head !== '' && !named.includes(head) ? [head, ...lost] : lost;
  if (!seen?.isDirty && left.length === 0) return null;
  const tree = seen?.isDirty ? await treeOfAll(worktree) : must(await ground.git(['rev-parse', `${left[0]}^{tree}`]), 'nothing can be kept');
  await keepUnder(ground, { tree, parents: [head, ...left], ref: request.keepAs, message: `What was left in the worktree of ${request.branch}` });
  return request.keepAs;
}

/** Questions about commits need no work tree. */
function atAnyPlace({ git }: TaskGit, worktree: TaskWorktree): TaskWorktree {
  return { ...worktree, git };
}

async function namedCommits(ground: TaskGit, branch: string): Promise<readonly string[]> {
  const refs = await refsAmong(ground, [headRef(branch), baseRef(ground.base)]);
  return [...refs.values()].map(({ commit }) => commit);
}

async function refuseToLose({ git, admin, path }: TaskWorktree, seen: TaskState | null): Promise<void> {
  const [submodule] = seen?.submodules ?? [];
  if (submodule) throw new GitTrouble(`${path} stays: what was changed in its submodule ${oneLine(submodule.path)} is not committed there`);
  if (seen === null || (await readdir(join(admin, 'modules')).catch(() => [])).length === 0) return;
  const own = await git(['submodule', '--quiet', 'foreach', '--recursive', 'git rev-list --max-count=1 HEAD --branches --not --remotes'], {});
  if (own.code !== 0 || own.stdout.trim() !== '') throw new GitTrouble(`${path} stays: a submodule in it has commits that are nowhere else`);
}

/** Uses its own index, so that staged changes and conflicts stay as they are. */
async function treeOfAll({ git, admin, path }: TaskWorktree): Promise<string> {
  const own = { GIT_INDEX_FILE: join(admin, 'ralph-kept-index') };
  await copyFile(join(admin, 'index'), own.GIT_INDEX_FILE).catch(() => undefined);
  await openNested(git, path);
  must(await git(['add', '--all', '--ignore-errors', '--', ':/'], own), `${path} stays, for not all of it can be kept`);
  return must(await git(['write-tree'], own), `${path} stays, for it cannot be kept`);
}

/** Deletes the branch only if nobody has moved it since. Also deletes the branches of earlier tries, which it continued. */
async function deleteIfOnBase(ground: TaskGit, branch: string, landed: string | null): Promise<void> {
  const remove = (ref: string, commit: string) => ground.git(['update-ref', '-d', ref, commit]);
  const isGone = landed !== null && (await remove(headRef(branch), landed)).code === 0;
  const refs = [...(isGone ? [] : [branch]), ...earlierTries(branch)].map(headRef);
  if (refs.length === 0) return;
  const format = '--format=%(refname) %(objectname) %(worktreepath)';
  const found = await ground.git(['for-each-ref', `--merged=${baseRef(ground.base)}`, format, ...refs]);
  const lines = found.code === 0 ? found.stdout.split('\n').filter(Boolean) : [];
  for (const [ref = '', commit = '', usedIn = ''] of lines.map((line) => line.split(' '))) if (usedIn === '') await remove(ref, commit);
}

function earlierTries(branch: string): readonly string[] {
  const [, task = '', n = '1'] = /^(.+)\.(\d+)$/.exec(branch) ?? [];
  return Array.from({ length: Number(n) - 1 }, (_, index) => `${task}.${index + 1}`);
}

/** Removes a worktree in any state, together with git's data about it. Nobody needs its contents any more. */
export async function removeTaskWorktree(ground: TaskGit, path: string): Promise<void> {
  const found = await findWorktree(ground, path);
  if (found !== null) {
    await setUnready(found);
    if (await hasFolder(found)) {
      const removed = await ground.git(['worktree', 'remove', '--force', '--force', path]);
      if (removed.code === 0) return;
    }
  }
  await removeFolder(path);
  // A killed git may have left a half-made folder. It does not name the worktree yet, but has the same name.
  const admin = found?.admin ?? (await likelyAdmin(ground, path));
  if (found !== null || !(await pathExists(join(admin, 'gitdir')))) await rm(admin, { recursive: true, force: true, maxRetries: 3 });
}

async function removeFolder(path: string): Promise<void> {
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 3 });
  const isGone = await remove().then(
    () => true,
    () => false,
  );
  if (isGone) return;
  // Some tools make their caches read-only.
  const inside = (await readdir(path, { recursive: true }).catch(() => [])).map(String);
  await openFolders(
    dirname(path),
    ['', ...inside].map((name) => join(basename(path), name, 'x')),
  );
  await remove();
}

interface Keeping {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly ref: string;
  readonly message: string;
}

/** Adds to what the ref already keeps, so that a retry after a crash loses nothing. */
export async function keepUnder({ git }: Pick<TaskGit, 'git'>, { tree, parents, ref, message }: Keeping): Promise<void> {
  const earlier = (await git(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`])).stdout.trim();
  const words = [...new Set([...parents, earlier])].filter(Boolean).flatMap((parent) => ['-p', parent]);
  const made = must(await git(['commit-tree', tree, ...words, '-m', message]), `${ref} cannot be made`);
  must(await git(['update-ref', ref, made]), `${ref} cannot be made`);
}
