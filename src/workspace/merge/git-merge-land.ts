import type { Merging } from '../../engine/ports/task-branches.ts';
import type { TaskGround } from '../tasks/git-task-place.ts';
import { baseRef, mergedRef, moveRefs, refsAmong } from '../tasks/git-task-refs.ts';
import { GitTrouble, must } from '../tasks/git-task-trouble.ts';
import type { TaskWorktree } from '../tasks/git-task-worktree.ts';

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
export async function landMerge(ground: TaskGround, merged: Merged, wish: LandWish): Promise<Landing> {
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
