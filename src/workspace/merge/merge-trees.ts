import { firstComplaint } from '../git/git-command.ts';
import { OUR_NAME } from '../git/git-place.ts';
import { GitTrouble, must } from '../tasks/locks.ts';
import type { MergeRoom } from './merge-room.ts';

interface MergeWish {
  readonly onto: string;
  readonly head: string;
  /** Paths that stay as they are in `onto`. */
  readonly pathspecs: readonly string[];
}

export type MergedTree = { readonly kind: 'tree'; readonly tree: string } | { readonly kind: 'conflict'; readonly paths: readonly string[] };

/** Merges two commits as objects and touches no file. Drivers and attributes are those of `onto`, which must be in the room. */
export async function mergeTrees(room: MergeRoom, request: MergeWish): Promise<MergedTree> {
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

async function hasTouched({ git }: MergeRoom, { onto, head, pathspecs }: MergeWish): Promise<boolean> {
  const compared = await git(['diff-tree', '--quiet', '-r', '--no-renames', onto, head, '--', ...pathspecs]);
  if (compared.code !== 1) must(compared, 'what is to be merged cannot be compared');
  return compared.code === 1;
}

/** The same head, but with the paths that the pathspecs name as in `onto`. No ref and no history has it. */
async function withoutTouching(room: MergeRoom, { onto, head, pathspecs }: MergeWish): Promise<string> {
  const { git } = room;
  const own = { GIT_INDEX_FILE: `${room.folder}-neutral-index` };
  must(await git(['read-tree', head], own), 'the branch cannot be read');
  must(await git(['reset', '--quiet', onto, '--', ...pathspecs], own), 'the branch cannot be read');
  const tree = must(await git(['write-tree'], own), 'the branch cannot be read');
  return must(await git(['commit-tree', tree, '-p', head, '-m', 'Without what only the loop writes'], OUR_NAME), 'the branch cannot be read');
}
