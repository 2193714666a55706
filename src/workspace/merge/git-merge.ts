import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MergeConflict, Merging } from '../../engine/ports/task-branches.ts';
import { heldIn } from './git-merge-holds.ts';
import { isUnderWay, mergeInto } from './git-merge-into.ts';
import { landMerge, type Merged } from './git-merge-land.ts';
import type { OperatorCommits } from './git-merge-operator.ts';
import type { MergeScratch } from './git-merge-scratch.ts';
import type { TaskBase } from '../tasks/git-task-base.ts';
import { keepUnder } from '../tasks/git-task-keep.ts';
import type { TaskGround } from '../tasks/git-task-place.ts';
import { must, orTrouble, stopIfAborted } from '../tasks/git-task-trouble.ts';

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
