import { rm } from 'node:fs/promises';
import type { LeftDirt, StartOfRun, TreeLook } from '../../engine/ports/git.ts';
import { firstComplaint, type Git, type Variables } from './git-command.ts';
import { feedGit } from './git-feed.ts';
import type { HistoryPlace } from './git-place.ts';
import { rawPaths, type TouchedPath } from './git-touched.ts';
import { type LookPlace, look } from './git-tree.ts';

/** The most paths that are named; all are left out. */
const NAMED = 100;

type Place = LookPlace & Pick<HistoryPlace, 'cwd' | 'env'>;
type Seen = Pick<TreeLook, 'head' | 'tree'>;

/** Looks at the working copy, and also without what was dirty at the start of the run. */
export async function lookSince(place: Place, start?: StartOfRun): Promise<TreeLook> {
  const seen = await look(place);
  if (start === undefined) return seen;
  try {
    const without = await withoutDirt(place, seen, start);
    return without === undefined ? seen : { ...seen, withoutDirt: without };
  } catch (error) {
    return { ...seen, tree: null, problem: `what was dirty before the start cannot be told apart: ${(error as Error).message}` };
  }
}

/**
 * The tree without what was dirty at the start of the run: these paths are as in HEAD. A path that somebody has committed since is an ordinary file again.
 * Undefined if there is no such path.
 */
async function withoutDirt(place: Place, { head, tree }: Seen, start: StartOfRun): Promise<TreeLook['withoutDirt']> {
  if (head === null || tree === null) return undefined;
  const { git } = place;
  const dirty = await differences(git, start.head, start.tree);
  const committed = new Set((head === start.head ? [] : await differences(git, start.head, head)).map(({ path }) => path));
  const left = dirty.filter(({ path }) => !committed.has(path));
  if (left.length === 0) return undefined;
  const since = new Set((await differences(git, start.tree, tree)).map(({ path }) => path));
  return { tree: await treeWith(place, tree, left), dirt: named(left, since) };
}

function named(left: readonly TouchedPath[], since: ReadonlySet<string>): LeftDirt {
  const paths = left.map(({ path }) => path);
  return { paths: paths.slice(0, NAMED), changed: paths.filter((path) => since.has(path)).slice(0, NAMED) };
}

async function differences(git: Git, from: string, to: string): Promise<readonly TouchedPath[]> {
  const { code, stdout, stderr } = await git(['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', from, to]);
  if (code !== 0) throw new Error(firstComplaint({ stderr }));
  // A name that is not text cannot be written as it was read.
  return [...rawPaths(stdout)].filter(({ path }) => !path.includes('\uFFFD'));
}

/** The tree with other versions of some paths: those that they had before they were touched. */
async function treeWith({ git, cwd, env, scratch }: Place, tree: string, paths: readonly TouchedPath[]): Promise<string> {
  const own = await scratch.spare();
  must(await git(['read-tree', tree], own));
  await putEntries({ cwd, env }, paths, own);
  const written = await git(['write-tree'], own);
  await rm(own['GIT_INDEX_FILE'] ?? '', { force: true });
  return must(written);
}

function must({ code, stdout, stderr }: { readonly code: number | null; readonly stdout: string; readonly stderr: string }): string {
  if (code !== 0) throw new Error(firstComplaint({ stderr }));
  return stdout.trim();
}

type Feeding = Pick<HistoryPlace, 'cwd' | 'env'>;

/** What is staged and will not be in the commit of that tree, so that it can be staged again afterwards. */
export async function stagedBesides(
  { git }: Pick<HistoryPlace, 'git'>,
  { parent, tree }: { readonly parent: string | null; readonly tree: string },
): Promise<readonly TouchedPath[]> {
  if (parent === null) return [];
  const { stdout } = await git(['diff-index', '--cached', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', parent]);
  const staged = [...rawPaths(stdout)];
  const committed = new Set((staged.length === 0 ? [] : await differences(git, parent, tree)).map(({ path }) => path));
  return staged.filter(({ path }) => !committed.has(path)).map(({ path, before, now }) => ({ path, before: now, now: before }));
}

/** Writes entries into an index, the operator's unless the variables name another. A path without an entry is removed; deletions come first, since a file may replace a folder. */
export async function putEntries({ cwd, env }: Feeding, paths: readonly TouchedPath[], own: Variables = {}): Promise<void> {
  const lines = paths.map(({ path, before, now }) =>
    before === null ? `0 ${'0'.repeat(now?.id.length ?? 40)}\t${path}\0` : `${before.mode} ${before.id}\t${path}\0`,
  );
  const stdin = lines.toSorted((a, b) => Number(b.startsWith('0 ')) - Number(a.startsWith('0 '))).join('');
  const { isWhole, isGood, stderr } = await feedGit(
    { cwd, env },
    { args: ['update-index', '-z', '--replace', '--index-info'], stdin, own, mostBytes: 64 * 1024 },
  );
  if (!isWhole || !isGood) throw new Error(firstComplaint({ stderr }));
}
