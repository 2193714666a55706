import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TaskWorktree } from './git-task-worktree.ts';
import { must } from './locks.ts';

/** What is in a worktree and in no commit. */
export interface TaskState {
  /** Null: HEAD names a branch without a commit. */
  readonly head: string | null;
  /** Short; null when HEAD is detached. */
  readonly branch: string | null;
  /** Whether `git add --all` would find anything to add. */
  readonly isDirty: boolean;
  readonly unmerged: readonly Unmerged[];
  /** Those with changes of their own, which no commit of ours can hold. Edited: in files that they track. */
  readonly submodules: readonly { readonly path: string; readonly isEdited: boolean }[];
}

/** A path with a conflict, and the blobs of both sides; empty: that side has none. */
export interface Unmerged {
  readonly path: string;
  readonly sides: readonly [string, string];
}

const LOOK = ['status', '--porcelain=v2', '-z', '--branch', '--untracked-files=normal', '--ignore-submodules=none', '--no-renames'];

/** An index that nobody can read is made anew from HEAD: the files are what counts. */
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

/** `1 XY S<c><m><u> m1 m2 mW h1 h2 path`: that it is on another commit is no change of its own. */
function submoduleIn(line: string): TaskState['submodules'] {
  const [, edited, added, path = ''] = /^1 \S+ S.(.)(.) \S+ \S+ \S+ \S+ \S+ (.+)$/s.exec(line) ?? [];
  return edited === 'M' || added === 'U' ? [{ path, isEdited: edited === 'M' }] : [];
}
