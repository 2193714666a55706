import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TaskWorktree } from './git-task-worktree.ts';
import { must } from './locks.ts';

/** The uncommitted state of a worktree. */
export interface TaskState {
  /** Null if HEAD names a branch without a commit. */
  readonly head: string | null;
  /** The short name; null if HEAD is detached. */
  readonly branch: string | null;
  /** Whether `git add --all` would find anything to add. */
  readonly isDirty: boolean;
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
    unmerged: entries.flatMap(unmergedIn),
    submodules,
  };
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
