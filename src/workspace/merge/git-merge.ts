import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MergeConflict, Merging } from '../../engine/ports/task-branches.ts';
import { keepUnder } from '../tasks/close.ts';
import type { TaskBase } from '../tasks/git-task-base.ts';
import type { TaskGround } from '../tasks/git-task-place.ts';
import { baseRef, mergedRef, moveRefs, refsAmong } from '../tasks/git-task-refs.ts';
import type { TaskWorktree } from '../tasks/git-task-worktree.ts';
import { GitTrouble, must, orTrouble, stopIfAborted } from '../tasks/locks.ts';
import { isUnderWay, mergeInto } from './git-merge-into.ts';
import type { OperatorCommits } from './git-merge-operator.ts';
import type { MergeScratch } from './git-merge-scratch.ts';

/** What the merges of one run share. */
export interface MergePlace {
  readonly ground: TaskGround;
  readonly taskBase: TaskBase;
  readonly scratch: MergeScratch;
  readonly operator: OperatorCommits;
  /** Told of what is on the base now. */
  readonly onLanded: (landed: { readonly task: string; readonly n: number; readonly head: string }) => void;
}

interface MergeWish {
  readonly head: string;
  readonly pathspecs: readonly string[];
}

export async function mergeHead(place: MergePlace, { head, pathspecs }: MergeWish, signal: AbortSignal): Promise<Merging | MergeConflict> {
  const { taskBase, scratch, operator } = place;
  const bases = await taskBase.look();
  const known = operator.known(bases);
  const worktree = await scratch.on(known ?? bases.base, signal);
  const onto = known ?? (await operator.join(worktree, bases));
  stopIfAborted(signal);
  const paths = await mergeInto(worktree, { onto, head, pathspecs });
  if (paths.length > 0) return { kind: 'conflict', paths };
  const tree = must(await worktree.git(['write-tree']), 'the merged files cannot be named');
  const index = join(worktree.admin, 'ralph-merged-index');
  await copyFile(join(worktree.admin, 'index'), index);
  const parents = (await isUnderWay(worktree)) ? [onto, head] : [onto];
  return await asMerging(place, { worktree, base: bases.base, parents, tree, index }, head);
}

async function asMerging({ ground, onLanded }: MergePlace, merged: Merged, head: string): Promise<Merging> {
  const { tree, parents, worktree } = merged;
  const land: Merging['land'] = (wish) =>
    orTrouble(async () => {
      const landing = await landMerge(ground, merged, wish);
      if (landing.kind === 'landed') onLanded({ task: wish.task, n: wish.n, head });
      return landing;
    });
  const keep: Merging['keep'] = async (ref) =>
    (await orTrouble(() => keepUnder(ground, { tree, parents, ref, message: 'A merged result that was not taken' }))) ?? null;
  return {
    kind: 'merging',
    path: worktree.path,
    cwd: await ground.cwdIn(worktree.path),
    tree,
    holds: (paths) => heldIn(ground, tree, paths),
    land,
    keep,
    // The scratch worktree is made clean when it is used again, and goes with the run.
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Which of the paths a tree has. A folder counts if a file is in it that is not hidden; the empty path is the whole tree. */
async function heldIn({ git }: Pick<TaskGround, 'git'>, tree: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const specs = paths.map((path) => `:(top,literal)${path}`);
  const listed = must(await git(['ls-tree', '-r', '-z', '--full-tree', '--name-only', tree, '--', ...specs]), 'the merged tree cannot be read');
  const files = listed.split('\0').filter(Boolean);
  return new Set(paths.filter((path) => files.some((file) => file === path || isShownIn(path, file))));
}

function isShownIn(folder: string, file: string): boolean {
  const start = folder === '' ? '' : `${folder}/`;
  return (
    file.startsWith(start) &&
    !file
      .slice(start.length)
      .split('/')
      .some((part) => part.startsWith('.'))
  );
}

export interface Merged {
  readonly worktree: TaskWorktree;
  /** What the base was when the merge began. */
  readonly base: string;
  readonly parents: readonly string[];
  readonly tree: string;
  /** A copy of the index as it was then: what gates do to the other one does not count. */
  readonly index: string;
}

type LandWish = Parameters<Merging['land']>[0];
type Landing = { readonly kind: 'landed'; readonly commit: string } | { readonly kind: 'moved' };

/** The base and the ref that remembers the task move together or not at all, so no result is ever merged twice. */
async function landMerge(ground: TaskGround, merged: Merged, wish: LandWish): Promise<Landing> {
  const tree = await treeWith(merged, wish.pathspecs);
  const parents = merged.parents.flatMap((parent) => ['-p', parent]);
  const commit = must(await ground.git(['commit-tree', tree, ...parents, '-m', wish.message.trimEnd()]), 'git cannot commit the merge');
  const [base, task] = [baseRef(ground.base), mergedRef(wish.task, wish.n)];
  const refused = await moveRefs(ground, [`update ${base} ${commit} ${merged.base}`, `create ${task} ${commit}`]);
  if (refused === null) return { kind: 'landed', commit };
  const refs = await refsAmong(ground, [base, task]);
  const before = refs.get(task);
  if (before !== undefined) return { kind: 'landed', commit: before.commit };
  if (refs.get(base)?.commit !== merged.base) return { kind: 'moved' };
  throw new GitTrouble(`${base} cannot be moved: ${refused}`);
}

const NOT_THERE = /pathspec '(.*)' did not match any files/;

/** What was merged, with these files as they are now. */
async function treeWith({ worktree, tree, index }: Merged, pathspecs: readonly string[]): Promise<string> {
  if (pathspecs.length === 0) return tree;
  const own = { GIT_INDEX_FILE: index };
  const added = await worktree.git(['add', '--all', '--', ...pathspecs], own);
  const missing = NOT_THERE.exec(added.stderr)?.[1];
  if (missing !== undefined && pathspecs.includes(missing)) {
    const others = pathspecs.filter((pathspec) => pathspec !== missing);
    return await treeWith({ worktree, tree, index } as Merged, others);
  }
  // A plan that is ignored is not in the history, and stays out of it.
  if (added.code !== 1 || !/ignored by one of your \.gitignore files/.test(added.stderr)) must(added, 'the plan cannot be committed');
  return must(await worktree.git(['write-tree'], own), 'the merged files cannot be named');
}
