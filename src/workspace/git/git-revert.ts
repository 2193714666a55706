import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openFolders } from '../../kit/files/write.ts';
import { oneLine } from '../../kit/pure/text.ts';
import { unstage } from './commit/stage.ts';
import { firstComplaint, headOf, type Variables } from './git-command.ts';
import { withoutFiltersOf } from './git-nested.ts';
import { type HistoryPlace, OUR_NAME } from './git-place.ts';
import { pathspecsOf, SUBMODULE, type Touched, type TouchedPath, touchedSince } from './git-touched.ts';

interface Order {
  readonly tree: string;
  readonly patterns: readonly string[];
  /** Pathspecs of files that are left alone even though they match. */
  readonly except?: readonly string[];
  readonly keptRef: string;
}

/**
 * Reverts the files that match the patterns to the tree, in the working copy and in the operator's index; commits stay. The state before is kept under the
 * ref. It does not see what no tree can hold: ignored files, uncommitted changes in a submodule, new repositories without a commit, and permissions other
 * than the executable bit. Throws if something cannot be reverted.
 */
export async function revertTo(place: HistoryPlace, { tree, patterns, except = [], keptRef }: Order): Promise<readonly string[]> {
  const meant = pathspecsOf(patterns);
  if (meant.length === 0) return [];
  const pathspecs = [...meant, ...except.map((spec) => spec.replace(/^:\(/, ':(exclude,'))];
  const look = async () => {
    const own = await place.scratch.keeping();
    return { own, touched: await touchedSince(place, { tree, pathspecs, own }) };
  };
  const first = await look();
  await using folders = await openFolders(place.topLevel, namesOf(first.touched));
  // An agent may have made a folder unreadable: its files are visible only now.
  const { own, touched } = folders.count > 0 ? await look() : first;
  if (touched.paths.length === 0) return [];
  await keep(place, touched.now, keptRef);
  await putFilesBack(place, { touched, tree, pathspecs, own });
  await unstage(place, touched.paths, pathspecs);
  const left = namesOf((await look()).touched);
  if (left.length > 0) throw new Error(`${oneLine(left.slice(0, 3).join(', '))} cannot be put back`);
  return namesOf(touched);
}

/** The paths in which the kept ref differs from the tree: a loop that may have died since has reverted them, or was about to. */
export async function revertedBy({ git, topLevel }: HistoryPlace, { tree, patterns, keptRef }: Order): Promise<readonly string[]> {
  const words = ['diff-tree', '-r', '-z', '--no-renames', '--name-only', tree, keptRef, '--', ...pathspecsOf(patterns)];
  const { code, stdout } = await git(['-C', topLevel, ...words]);
  return code === 0 ? stdout.split('\0').filter(Boolean).sort() : [];
}

const namesOf = ({ paths }: Touched) => paths.map(({ path }) => path).sort();

/** Adds to what the ref already keeps: after a crash half-way, only the rest is left to keep. */
async function keep({ git }: HistoryPlace, tree: string, ref: string): Promise<void> {
  const earlier = (await git(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`])).stdout.trim();
  const parents = [await headOf(git), earlier].filter(Boolean).flatMap((parent) => ['-p', parent ?? '']);
  const made = await git(['commit-tree', tree, ...parents, '-m', 'The working copy before protected files were put back'], OUR_NAME);
  if (made.code !== 0) throw new Error(firstComplaint(made));
  const named = await git(['update-ref', ref, made.stdout.trim()], OUR_NAME);
  if (named.code !== 0) throw new Error(firstComplaint(named));
}

interface Wanted {
  readonly touched: Touched;
  readonly tree: string;
  readonly pathspecs: readonly string[];
  readonly own: Variables;
}

/** Uses git's own way from one commit to another: it never writes through a link, and refuses to overwrite what has changed since we looked. */
async function putFilesBack(place: HistoryPlace, { touched, tree, pathspecs, own }: Wanted): Promise<void> {
  const { git, topLevel } = place;
  const run = async (args: readonly string[], variables: Variables) => {
    const answer = await git(['-C', topLevel, '-c', 'submodule.recurse=false', ...args], variables);
    if (answer.code !== 0) throw new Error(firstComplaint(answer));
    return answer.stdout.trim();
  };
  const wanted = { GIT_INDEX_FILE: `${own['GIT_INDEX_FILE']}-wanted` };
  await rm(`${wanted.GIT_INDEX_FILE}.lock`, { force: true });
  await run(['read-tree', touched.now], wanted);
  await run(['reset', '--quiet', tree, '--', ...pathspecs], wanted);
  const goal = await run(['write-tree'], wanted);
  for (const { path } of touched.paths.filter(isPlantedRepository)) await rm(join(topLevel, path), { recursive: true, force: true });
  await run(['read-tree', '-m', '-u', touched.now, goal], own);
  for (const { path, before } of touched.paths.filter(isMovedSubmodule)) await putSubmoduleBack(place, path, before?.id ?? '');
}

const isPlantedRepository = ({ before, now }: TouchedPath) => now?.mode === SUBMODULE && before?.mode !== SUBMODULE;
const isMovedSubmodule = ({ before, now }: TouchedPath) => now?.mode === SUBMODULE && before?.mode === SUBMODULE;

/** Only if no change in it is lost. */
async function putSubmoduleBack({ git, topLevel, env }: HistoryPlace, path: string, commit: string): Promise<void> {
  const folder = join(topLevel, path);
  const there = ['-C', folder, `--git-dir=${join(folder, '.git')}`, `--work-tree=${folder}`];
  const moved = await git([...there, 'checkout', '--quiet', '--detach', commit, '--'], await withoutFiltersOf({ run: git, env }, [folder]));
  if (moved.code !== 0) throw new Error(`the submodule ${oneLine(path)} cannot be put back: ${firstComplaint(moved)}`);
}
