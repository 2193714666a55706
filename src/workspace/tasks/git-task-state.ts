import { readFile, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { pathExists } from '../../kit/files/read.ts';
import { openGitScratch } from '../git/git-scratch.ts';
import { nameTree } from '../git/git-tree.ts';
import { headRef } from './git-task-base.ts';
import type { TaskGit } from './git-task-place.ts';
import { findWorktree, type TaskWorktree } from './git-task-worktree.ts';
import { must } from './locks.ts';

/** The uncommitted state of a worktree. */
export interface TaskState {
  /** Null if HEAD names a branch without a commit. */
  readonly head: string | null;
  /** The short name; null if HEAD is detached. */
  readonly branch: string | null;
  /** Whether `git add --all` would find anything to add. */
  readonly isDirty: boolean;
  /** Whether a whole folder is new: only then can there be a nested repository. */
  readonly hasNewFolder: boolean;
  readonly unmerged: readonly Unmerged[];
  /** Submodules with their own changes, which no commit of ours can contain. Edited: in tracked files. */
  readonly submodules: readonly { readonly path: string; readonly isEdited: boolean }[];
}

/** A path with a conflict, and the blobs of both sides; empty if a side has none. */
export interface Unmerged {
  readonly path: string;
  readonly sides: readonly [string, string];
}

const LOOK = ['status', '--porcelain=v2', '-z', '--branch', '--untracked-files=normal', '--ignore-submodules=none', '--no-renames'];

/** An unreadable index is made again from HEAD: the files are what counts. */
export async function seeWorktree({ git, admin, path }: TaskWorktree): Promise<TaskState> {
  const first = await git(LOOK, {});
  if (first.code === 0) return read(first.stdout);
  if (/index/.test(first.stderr)) {
    await rm(join(admin, 'index'), { force: true });
    await git(['read-tree', 'HEAD'], {});
  }
  return read(must(await git(LOOK, {}), `git cannot look at ${path}`));
}

function read(stdout: string): TaskState {
  const lines = stdout.split('\0').filter((line) => line.trim() !== '');
  const heading = (name: string) => lines.find((line) => line.trimStart().startsWith(`# branch.${name} `))?.split(' ')[2] ?? '';
  const [head, branch] = [heading('oid'), heading('head')];
  const entries = lines.filter((line) => /^[1u?] /.test(line));
  const submodules = entries.flatMap(submoduleIn);
  return {
    head: head === '(initial)' ? null : head,
    branch: branch === '(detached)' ? null : branch,
    isDirty: entries.some((line) => !/^1 \.M S\./.test(line)),
    hasNewFolder: entries.some((line) => /^\? .*\/$/s.test(line)),
    unmerged: entries.flatMap(unmergedIn),
    submodules,
  };
}

/** Its commit, and its files where they differ from that. */
export async function nameFiles(ground: TaskGit, cwd: string): Promise<string | null> {
  const root = await ground.root();
  const [folder = ''] = relative(root, cwd).split(sep);
  const worktree = await findWorktree(ground, join(root, folder));
  if (worktree === null) return null;
  const { git, admin, path } = worktree;
  const { head, isDirty } = await seeWorktree(worktree);
  if (!isDirty) return head;
  await using scratch = openGitScratch({ indexPath: join(admin, 'index'), objectsPath: join(await ground.commonDir(), 'objects'), topLevel: path });
  const { tree } = await nameTree(git, await scratch.ready());
  return tree === null ? null : `${head} ${tree}`;
}

/** `u XY sub m1 m2 m3 mW h1 h2 h3 path`. */
function unmergedIn(line: string): readonly Unmerged[] {
  const [, sides, path = ''] = /^u \S+ \S+ \S+ \S+ \S+ \S+ \S+ (\S+ \S+) (.+)$/s.exec(line) ?? [];
  if (sides === undefined) return [];
  const [ours = '', theirs = ''] = sides.split(' ').map((id) => (/^0+$/.test(id) ? '' : id));
  return [{ path, sides: [ours, theirs] }];
}

/** `1 XY S<c><m><u> m1 m2 mW h1 h2 path`: being on another commit does not count as a change of its own. */
function submoduleIn(line: string): TaskState['submodules'] {
  const [, edited, added, path = ''] = /^1 \S+ S.(.)(.) \S+ \S+ \S+ \S+ \S+ (.+)$/s.exec(line) ?? [];
  return edited === 'M' || added === 'U' ? [{ path, isEdited: edited === 'M' }] : [];
}

/**
 * Moves the branch to HEAD, wherever an agent has moved it, and puts HEAD on the branch. The reflog of HEAD, which `lostCommits` reads, still has the old
 * position.
 */
export async function putHeadOnBranch(worktree: TaskWorktree, branch: string, base: string): Promise<void> {
  const { git, admin } = worktree;
  const commit = (await commitOf(worktree, 'HEAD')) ?? (await lastCommit(worktree)) ?? base;
  must(await git(['update-ref', '-m', 'ralph: where HEAD is', headRef(branch), commit]), `${branch} cannot be moved`);
  must(await git(['symbolic-ref', '-m', 'ralph: back on its branch', 'HEAD', headRef(branch)]), `HEAD cannot be put on ${branch}`);
  for (const state of ['rebase-merge', 'rebase-apply']) if (await pathExists(join(admin, state))) await git(['rebase', '--quit'], {});
}

/** The last commit of HEAD that exists. */
async function lastCommit(worktree: TaskWorktree): Promise<string | null> {
  const last = (await moves(worktree)).at(-1);
  return last === undefined ? null : await commitOf(worktree, last.to);
}

async function commitOf({ git }: TaskWorktree, name: string): Promise<string | null> {
  const found = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
  return found.code === 0 ? found.stdout.trim() : null;
}

interface Move {
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

async function moves({ admin }: TaskWorktree): Promise<readonly Move[]> {
  const log = await readFile(join(admin, 'logs', 'HEAD'), 'utf8').catch(() => '');
  const lines = log.split('\n').filter(Boolean);
  return lines.map((line) => ({ from: line.split(' ')[0] ?? '', to: line.split(' ')[1] ?? '', why: line.split('\t')[1] ?? '' }));
}

/** After these moves the new commit contains the old one. */
const GOES_ON = /^commit(?: \(merge\))?:/;

/** Earlier positions of HEAD that are in neither these commits nor the base: dropped by a reset, a rebase or an amended commit, or left without a branch. */
export async function lostCommits(worktree: TaskWorktree, kept: readonly string[]): Promise<readonly string[]> {
  const left = (await moves(worktree)).filter(({ from, to, why }) => from !== to && !/^0+$/.test(from) && !GOES_ON.test(why)).map(({ from }) => from);
  const candidates = [...new Set(left)].filter((commit) => !kept.includes(commit));
  if (candidates.length === 0) return [];
  const { stdout } = await worktree.git(['rev-list', '--ignore-missing', ...candidates, '--not', ...kept, '--']);
  const unreached = new Set(stdout.split('\n'));
  return candidates.filter((commit) => unreached.has(commit));
}
