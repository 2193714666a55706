import type { MergeConflict, Merging } from '../../engine/ports/task-branches.ts';
import { oneLine } from '../../kit/pure/text.ts';
import { firstComplaint } from '../git/git-command.ts';
import { gitFolderIn, namesIn, wouldBeObeyed } from '../git/git-folders.ts';
import { OUR_NAME } from '../git/git-place.ts';
import { keepUnder } from '../tasks/close.ts';
import { type Bases, baseRef, mergedRef, moveRefs, refsAmong, type TaskBase } from '../tasks/git-task-base.ts';
import type { TaskGit } from '../tasks/git-task-place.ts';
import { GitTrouble, must, orTrouble, stopIfAborted } from '../tasks/locks.ts';
import type { TaskRemote } from '../tasks/task-remote.ts';
import type { MergeScratch } from './git-merge-scratch.ts';
import type { MergeRoom } from './merge-room.ts';

/** What the merges of one run share. */
export interface MergePlace {
  readonly ground: TaskGit;
  /** Null: no other machine works on this plan. */
  readonly remote: TaskRemote | null;
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
  const { taskBase, room, operator, remote } = place;
  const shared = (await remote?.fetch()) ?? null;
  const bases = await taskBase.look();
  const onto = operator.known(bases) ?? (await operator.join(room, bases));
  stopIfAborted(signal);
  await room.stand(onto);
  const merged = await mergeTrees(room, { onto, head, pathspecs });
  if (merged.kind === 'conflict') return { ...merged, onto };
  const added = await namesIn(room.git, ['diff-tree', '-r', '--name-only', '--no-renames', '--diff-filter=d', onto, merged.tree]);
  const gitFolder = await gitFolderIn(room.git, onto, added);
  if (gitFolder !== null) throw new GitTrouble(`the result cannot be merged: ${wouldBeObeyed(oneLine(gitFolder))}`);
  await room.hold(merged.tree, pathspecs);
  const hasNothing = (await room.git(['merge-base', '--is-ancestor', head, onto])).code === 0;
  return asMerging(place, { base: bases.base, shared, onto, parents: hasNothing ? [onto] : [onto, head], tree: merged.tree }, head);
}

function asMerging({ ground, remote, room, scratch, onLanded }: MergePlace, merged: Merged, head: string): Merging {
  const { tree, parents } = merged;
  const land: Merging['land'] = (request) =>
    orTrouble(async () => {
      const landing = await landMerge({ ground, remote }, merged, { ...request, tree: await room.treeWith(request.pathspecs) });
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
  /** The branch of the remote then; null without a fleet. */
  readonly shared: string | null;
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
async function landMerge({ ground, remote }: Pick<MergePlace, 'ground' | 'remote'>, merged: Merged, { tree, message, ...wish }: LandWish): Promise<Landing> {
  const commit = await commitMerged(ground, { ...merged, tree }, message.trimEnd());
  const [base, task] = [baseRef(ground.base), mergedRef(wish.task, wish.n)];
  if (remote !== null && merged.shared !== null) {
    // What the remote has is true everywhere; our own refs follow it.
    if ((await remote.land({ from: merged.shared, commit, ...wish })) === 'moved') return { kind: 'moved' };
    await moveRefs(ground, [`update ${base} ${commit} ${merged.base}`, `create ${task} ${commit}`]);
    return { kind: 'landed', commit };
  }
  const refused = await moveRefs(ground, [`update ${base} ${commit} ${merged.base}`, `create ${task} ${commit}`]);
  if (refused === null) return { kind: 'landed', commit };
  const refs = await refsAmong(ground, [base, task]);
  const before = refs.get(task);
  if (before !== undefined) return { kind: 'landed', commit: before.commit };
  if (refs.get(base)?.commit !== merged.base) return { kind: 'moved' };
  throw new GitTrouble(`${base} cannot be moved: ${refused}`);
}

/** The operator's own commits that the base does not have: a person may commit while the branch cannot follow the base. */
export interface OperatorCommits {
  /** The commit to merge results with: the base, together with the operator's commits if they were merged with it before; null if they were not. */
  known(bases: Bases): string | null;
  /** Merges them with the base. If they conflict, they are left out. */
  join(room: MergeRoom, bases: Bases): Promise<string>;
}

export function openOperatorCommits({ base: branch, run }: TaskGit): OperatorCommits {
  let last: { base: string; operator: string; commit: string } | null = null;
  return {
    known({ base, operator, hasAll }) {
      if (hasAll) return base;
      return last?.base === base && last.operator === operator ? last.commit : null;
    },
    async join(room, { base, operator }) {
      const message = `Merge branch '${branch}' as it is now\n\nRalph-Run: ${run}`;
      await room.stand(base);
      const merged = await mergeTrees(room, { onto: base, head: operator, pathspecs: [] });
      const made = merged.kind === 'conflict' ? null : await room.git(['commit-tree', merged.tree, '-p', base, '-p', operator, '-m', message]);
      const commit = made === null ? base : must(made, 'git cannot commit the merge');
      last = { base, operator, commit };
      return commit;
    },
  };
}

interface TreesToMerge {
  readonly onto: string;
  readonly head: string;
  /** Paths that stay as they are in `onto`. */
  readonly pathspecs: readonly string[];
}

export type MergedTree = { readonly kind: 'tree'; readonly tree: string } | { readonly kind: 'conflict'; readonly paths: readonly string[] };

/** Merges two commits as objects and touches no file. Drivers and attributes are those of `onto`, which must be in the room. */
async function mergeTrees(room: MergeRoom, request: TreesToMerge): Promise<MergedTree> {
  const { onto, head, pathspecs } = request;
  const merged = await mergeTree(room, onto, head);
  if (pathspecs.length === 0) return merged;
  if (merged.kind === 'tree' && !(await hasTouched(room, { onto, head: merged.tree, pathspecs }))) return merged;
  // Some changes or conflicts are in what the pathspecs name, perhaps under another name that git chose. Without them the merge may succeed.
  return await mergeTree(room, onto, await withoutTouching(room, request));
}

async function mergeTree({ git }: MergeRoom, onto: string, head: string): Promise<MergedTree> {
  const answer = await git(['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', onto, head]);
  const [tree = '', ...paths] = answer.stdout.split('\0').filter(Boolean);
  if (answer.code === 0) return { kind: 'tree', tree };
  // Git exits with 1 also for other errors, and then prints no tree.
  if (answer.code !== 1 || tree === '') throw new GitTrouble(`git cannot merge: ${firstComplaint(answer)}`);
  return { kind: 'conflict', paths: [...new Set(paths.map((path) => path.replace(/~[0-9a-f]{40,64}(?:_\d+)?$/, '')))] };
}

async function hasTouched({ git }: MergeRoom, { onto, head, pathspecs }: TreesToMerge): Promise<boolean> {
  const compared = await git(['diff-tree', '--quiet', '-r', '--no-renames', onto, head, '--', ...pathspecs]);
  if (compared.code !== 1) must(compared, 'what is to be merged cannot be compared');
  return compared.code === 1;
}

/** The same head, but with the paths that the pathspecs name as in `onto`. No ref and no history has it. */
async function withoutTouching(room: MergeRoom, { onto, head, pathspecs }: TreesToMerge): Promise<string> {
  const { git } = room;
  const own = { GIT_INDEX_FILE: `${room.folder}-neutral-index` };
  must(await git(['read-tree', head], own), 'the branch cannot be read');
  must(await git(['reset', '--quiet', onto, '--', ...pathspecs], own), 'the branch cannot be read');
  const tree = must(await git(['write-tree'], own), 'the branch cannot be read');
  return must(await git(['commit-tree', tree, '-p', head, '-m', 'Without what only the loop writes'], OUR_NAME), 'the branch cannot be read');
}
