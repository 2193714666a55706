import type { MergeConflict, Merging } from '../../engine/ports/task-branches.ts';
import { keepUnder } from '../tasks/close.ts';
import type { TaskBase } from '../tasks/git-task-base.ts';
import type { TaskGit } from '../tasks/git-task-place.ts';
import { baseRef, mergedRef, moveRefs, refsAmong } from '../tasks/git-task-refs.ts';
import { GitTrouble, must, orTrouble, stopIfAborted } from '../tasks/locks.ts';
import type { OperatorCommits } from './git-merge-operator.ts';
import type { MergeScratch } from './git-merge-scratch.ts';
import type { MergeRoom } from './merge-room.ts';
import { mergeTrees } from './merge-trees.ts';

/** What the merges of one run share. */
export interface MergePlace {
  readonly ground: TaskGit;
  readonly taskBase: TaskBase;
  readonly room: MergeRoom;
  readonly scratch: MergeScratch;
  readonly operator: OperatorCommits;
  /** Called with every result that lands on the base. */
  readonly onLanded: (landed: { readonly task: string; readonly n: number; readonly head: string }) => void;
}

interface MergeWish {
  readonly head: string;
  readonly pathspecs: readonly string[];
}

export async function mergeHead(place: MergePlace, { head, pathspecs }: MergeWish, signal: AbortSignal): Promise<Merging | MergeConflict> {
  const { taskBase, room, operator } = place;
  const bases = await taskBase.look();
  const onto = operator.known(bases) ?? (await operator.join(room, bases));
  stopIfAborted(signal);
  await room.stand(onto);
  const merged = await mergeTrees(room, { onto, head, pathspecs });
  if (merged.kind === 'conflict') return merged;
  await room.hold(merged.tree, pathspecs);
  const hasNothing = (await room.git(['merge-base', '--is-ancestor', head, onto])).code === 0;
  return asMerging(place, { base: bases.base, onto, parents: hasNothing ? [onto] : [onto, head], tree: merged.tree }, head);
}

function asMerging({ ground, room, scratch, onLanded }: MergePlace, merged: Merged, head: string): Merging {
  const { tree, parents } = merged;
  const land: Merging['land'] = (request) =>
    orTrouble(async () => {
      const landing = await landMerge(ground, merged, { ...request, tree: await room.treeWith(request.pathspecs) });
      if (landing.kind === 'moved') return landing;
      onLanded({ task: request.task, n: request.n, head });
      room.landed(landing.commit);
      return landing;
    });
  const keep: Merging['keep'] = async (ref) =>
    (await orTrouble(() => keepUnder(ground, { tree, parents, ref, message: 'A merged result that was not taken' }))) ?? null;
  const checkOut: Merging['checkOut'] = (signal) =>
    orTrouble(async () => {
      const { path } = await scratch.on(await commitMerged(ground, merged, 'A merged result to be judged'), signal);
      return { kind: 'checked-out', path, cwd: await ground.cwdIn(path) };
    }, signal);
  return { kind: 'merging', planFolder: room.folder, tree, onto: merged.onto, checkOut, holds: (paths) => heldIn(ground, tree, paths), land, keep };
}

/** Which of the paths a tree has. A folder counts if it has a file that is not hidden; the empty path is the whole tree. */
async function heldIn({ git }: Pick<TaskGit, 'git'>, tree: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
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

interface Merged {
  /** The base when the merge began. */
  readonly base: string;
  /** The base together with the operator's own commits. */
  readonly onto: string;
  readonly parents: readonly string[];
  readonly tree: string;
}

async function commitMerged({ git }: TaskGit, { tree, parents }: Pick<Merged, 'tree' | 'parents'>, message: string): Promise<string> {
  const words = parents.flatMap((parent) => ['-p', parent]);
  return must(await git(['commit-tree', tree, ...words, '-m', message]), 'git cannot commit the merge');
}

type LandWish = Omit<Parameters<Merging['land']>[0], 'pathspecs'> & { readonly tree: string };
type Landing = { readonly kind: 'landed'; readonly commit: string } | { readonly kind: 'moved' };

/** The base and the ref that records the task move together or not at all, so no result is ever merged twice. */
async function landMerge(ground: TaskGit, merged: Merged, { tree, message, ...wish }: LandWish): Promise<Landing> {
  const commit = await commitMerged(ground, { ...merged, tree }, message.trimEnd());
  const [base, task] = [baseRef(ground.base), mergedRef(wish.task, wish.n)];
  const refused = await moveRefs(ground, [`update ${base} ${commit} ${merged.base}`, `create ${task} ${commit}`]);
  if (refused === null) return { kind: 'landed', commit };
  const refs = await refsAmong(ground, [base, task]);
  const before = refs.get(task);
  if (before !== undefined) return { kind: 'landed', commit: before.commit };
  if (refs.get(base)?.commit !== merged.base) return { kind: 'moved' };
  throw new GitTrouble(`${base} cannot be moved: ${refused}`);
}
