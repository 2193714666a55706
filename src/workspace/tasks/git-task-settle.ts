import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SettledBranch, SettleRequest } from '../../engine/ports/task-branches.ts';
import { oneLine } from '../../kit/pure/text.ts';
import { gitFolderIn, namesIn, wouldBeObeyed } from '../git/git-folders.ts';
import { nothingKnown } from '../git/git-place.ts';
import { revertTo } from '../git/git-revert.ts';
import { openGitScratch } from '../git/git-scratch.ts';
import { baseRef } from './git-task-base.ts';
import { branchOf, type TaskGit } from './git-task-place.ts';
import { putHeadOnBranch, seeWorktree, type TaskState, type Unmerged } from './git-task-state.ts';
import { addBranchWorktree, findWorktree, furnishWorktree, hasFolder, openNested, restoreFolder, setReady, type TaskWorktree } from './git-task-worktree.ts';
import { GitTrouble, must } from './locks.ts';

/** Whatever an agent did to its worktree and to HEAD, this commits the files and moves the branch to HEAD. */
export async function settleTask(ground: TaskGit, path: string, request: SettleRequest): Promise<SettledBranch> {
  const worktree = await standing(ground, path, request.base);
  const branch = branchOf(path);
  const seen = await seeWorktree(worktree);
  await refuseUnresolved(worktree, seen.unmerged);
  if (seen.head === null) await putHeadOnBranch(worktree, branch, request.base);
  await commitAll(worktree, seen, request.message);
  if (seen.head !== null && seen.branch !== branch) await putHeadOnBranch(worktree, branch, request.base);
  const now = await compareWithBase(worktree, request.base);
  const restored = await restore(ground, worktree, { begun: now.begun, wish: request });
  const isTouched = now.settled.changed && (await hasTouched(worktree, now.begun, request.pathspecs));
  if (isTouched) await putBack(worktree, now.begun, request);
  const { settled } = isTouched || restored.length > 0 ? await compareWithBase(worktree, request.base) : now;
  return { ...settled, restored };
}

interface Begun {
  readonly begun: string;
  readonly wish: SettleRequest;
}

/** Runs only after everything is committed: what came from the base is then known, and does not count as a change of the agent's. */
async function restore(ground: TaskGit, worktree: TaskWorktree, { begun, wish }: Begun): Promise<readonly string[]> {
  const restored = await putProtectedBack(ground, worktree, wish, begun);
  if (restored.length === 0) return [];
  must(await worktree.git(['add', '--all', '--ignore-errors', '--', ':/'], {}), 'not all can be committed');
  await commit(worktree.git, ['Put back what is protected', ...trailersOf(wish.message)].join('\n\n'));
  return restored;
}

/** The worktree with its folder: an agent may have removed the folder, or git's data about it. */
export async function standing(ground: TaskGit, path: string, start: string): Promise<TaskWorktree> {
  const found = await findWorktree(ground, path);
  if (found !== null && !(await restoreFolder(found))) return found;
  if (found === null && (await hasFolder({ path }))) throw new GitTrouble(`git no longer knows the worktree ${path}`);
  const worktree = found ?? (await addBranchWorktree(ground, path, { branch: branchOf(path), start }));
  await furnishWorktree(ground, worktree, new AbortController().signal);
  await setReady(worktree);
  return worktree;
}

async function commitAll({ git, path }: TaskWorktree, seen: TaskState, message: string): Promise<void> {
  const edited = seen.submodules.find(({ isEdited }) => isEdited);
  if (edited) throw new GitTrouble(`what was changed in the submodule ${oneLine(edited.path)} is not committed there`);
  if (!seen.isDirty) return;
  if (seen.hasNewFolder) await openNested(git, path);
  must(await git(['add', '--all', '--ignore-errors', '--', ':/'], {}), 'not all can be committed');
  const planted = await gitFolderIn(git, 'HEAD', await namesIn(git, ['diff-index', '--cached', '--name-only', '--no-renames', '--diff-filter=d', 'HEAD']));
  if (planted !== null) {
    await git(['reset', '--quiet', '--', `:(top,literal)${planted}`], {});
    throw new GitTrouble(`${wouldBeObeyed(oneLine(planted))}, so it cannot be committed: remove it, or rename one of the three`);
  }
  await commit(git, message);
}

/** There may be nothing to commit after all, for example if only line ends differ: git then says so on stdout and exits with 1. */
async function commit(git: TaskWorktree['git'], message: string): Promise<void> {
  const made = await git(['commit', '--quiet', '--no-verify', '--cleanup=whitespace', '--message', message], {});
  if (made.code === 1 && made.stderr.trim() === '') return;
  must(made, 'git cannot commit');
}

interface Compared {
  readonly settled: SettledBranch;
  /** The last commit of the base that the branch contains: later commits of the base are not the branch's doing. If there is none, the base itself. */
  readonly begun: string;
}

async function compareWithBase({ git }: TaskWorktree, base: string): Promise<Compared> {
  const ask = async (...names: readonly string[]) => must(await git(['rev-parse', ...names]), 'the branch cannot be compared with the base').split('\n');
  const [head = '', tree = '', baseCommit = '', baseTree = '', ...range] = await ask(
    ...['HEAD^{commit}', 'HEAD^{tree}', `${base}^{commit}`, `${base}^{tree}`, `${base}...HEAD`],
  );
  const begun = range.find((line) => line.startsWith('^'))?.slice(1) ?? baseCommit;
  const [begunTree] = begun === baseCommit ? [baseTree] : await ask(`${begun}^{tree}`);
  return { settled: { kind: 'settled', head, tree, changed: tree !== begunTree, restored: [] }, begun };
}

async function hasTouched({ git }: TaskWorktree, begun: string, pathspecs: readonly string[]): Promise<boolean> {
  if (pathspecs.length === 0) return false;
  const compared = await git(['diff-tree', '--quiet', '-r', '--no-renames', begun, 'HEAD', '--', ...pathspecs]);
  if (compared.code !== 1) must(compared, 'the branch cannot be compared with the base');
  return compared.code === 1;
}

async function putBack(worktree: TaskWorktree, begun: string, { message, pathspecs }: SettleRequest): Promise<void> {
  await restoreFrom(worktree, begun, pathspecs);
  await commit(worktree.git, ['Put back what only the loop writes', ...trailersOf(message)].join('\n\n'));
}

function trailersOf(message: string): readonly string[] {
  const last = message.trimEnd().split('\n\n').slice(1).at(-1) ?? '';
  return /^([\w-]+: .+(\n|$))+$/.test(last) ? [last] : [];
}

const MOST_NAMED = 5;
const MARKERS = /^(?:<{7}|>{7})(?: |$)/m;

/** Whoever resolves a conflict need not `git add` the file: it counts as resolved if it has no marker and equals neither side. */
async function refuseUnresolved(worktree: TaskWorktree, unmerged: readonly Unmerged[]): Promise<void> {
  if (unmerged.length === 0) return;
  const resolved = await Promise.all(unmerged.map((conflict) => isResolved(worktree, conflict)));
  const left = unmerged.filter((_, index) => !resolved[index]).map(({ path }) => path);
  if (left.length === 0) return;
  const more = left.length > MOST_NAMED ? ` and ${left.length - MOST_NAMED} more` : '';
  throw new GitTrouble(`conflicts are not resolved: ${left.slice(0, MOST_NAMED).map(oneLine).join(', ')}${more}`);
}

async function isResolved({ git, path: top }: TaskWorktree, { path, sides }: Unmerged): Promise<boolean> {
  if (sides.includes('')) return false;
  const text = await readFile(join(top, path), 'utf8').catch(() => null);
  if (text === null || text.includes('\0') || MARKERS.test(text)) return false;
  const { code, stdout } = await git(['hash-object', '--', path], {});
  return code === 0 && !sides.includes(stdout.trim());
}

const UNKNOWN = /^error: pathspec '.*' did not match any file/m;

/**
 * Reverts what the pathspecs name to that commit, in the index and in the files; what the commit does not have is removed. A pathspec that matches nothing is
 * no error.
 */
async function restoreFrom({ git }: TaskWorktree, commit: string, pathspecs: readonly string[]): Promise<void> {
  const restore = (specs: readonly string[]) => git(['restore', `--source=${commit}`, '--staged', '--worktree', '--', ...specs], {});
  const all = await restore(pathspecs);
  if (all.code === 0) return;
  if (!UNKNOWN.test(all.stderr)) must(all, 'what only the loop writes cannot be put back');
  for (const pathspec of pathspecs) {
    const one = await restore([pathspec]);
    if (!UNKNOWN.test(one.stderr)) must(one, `${pathspec} cannot be put back`);
  }
}

/**
 * Reverts protected files to the newest commit of the base that the branch contains, in the files and in the index of a worktree, even where git was told not
 * to look. What was committed before is kept with the rest under the ref; the files that only the loop writes are excluded. A changed `.git` file has no
 * effect, because git is told where its folder is.
 */
async function putProtectedBack(
  ground: TaskGit,
  { git, admin, path }: TaskWorktree,
  { protect, pathspecs }: SettleRequest,
  begun: string,
): Promise<readonly string[]> {
  if (protect === undefined) return [];
  const commonDir = await ground.commonDir();
  await using scratch = openGitScratch({ indexPath: join(admin, 'index'), objectsPath: join(commonDir, 'objects'), topLevel: path });
  const env = { ...ground.env, GIT_DIR: admin, GIT_WORK_TREE: path };
  const newest = await git(['merge-base', baseRef(ground.base), 'HEAD']);
  // What came in from the base since is not a change of the agent's.
  const commit = newest.code === 0 ? newest.stdout.trim() : begun;
  return await revertTo(
    { git, cwd: path, env, gitDir: admin, commonDir, known: nothingKnown(), topLevel: path, scratch },
    { tree: `${commit}^{tree}`, ...protect, except: pathspecs },
  );
}
