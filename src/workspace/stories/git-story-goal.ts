import { lstat, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { SettleStoriesRequest } from '../../engine/ports/story-workspace.ts';
import { oneLine } from '../../kit/pure/text.ts';
import { revertTo } from '../git/git-revert.ts';
import { pathspecsOf as patternSpecs, rawPaths, SUBMODULE } from '../git/git-touched.ts';
import { GitTrouble, must } from '../tasks/locks.ts';
import { type CopyWatch, EVERYTHING, literally, ownIndex, type StoryRepo } from './git-story-place.ts';

type Wanted = Pick<SettleStoriesRequest, 'tree' | 'revert' | 'plan'>;

/** The tree that the working copy has to become: as it is now, except for what is reverted and for what is in the place of the list of stories. */
export async function goalOf(repo: StoryRepo, now: string, request: Wanted): Promise<string> {
  const pathspecs = pathspecsOf(repo, request);
  const isBlocked = request.plan !== null && (await hasNoRoom(repo));
  const patterns = patternSpecs(request.revert.patterns ?? []);
  const guarded = patterns.length === 0 ? [] : [...patterns, literally(repo.plan, 'exclude,')];
  if (pathspecs.length + guarded.length === 0 && !isBlocked) return now;
  const { git } = repo;
  const own = { GIT_INDEX_FILE: `${(await ownIndex(repo))['GIT_INDEX_FILE']}-goal` };
  await rm(`${own.GIT_INDEX_FILE}.lock`, { force: true });
  const run = async (args: readonly string[]) => must(await git(args, own), 'it cannot be told what is to be put back');
  await run(['read-tree', now]);
  for (const named of [pathspecs, guarded]) if (named.length > 0) await run(['reset', '--quiet', request.tree, '--', ...named]);
  if (isBlocked) await run(['update-index', '--add', '--replace', '--cacheinfo', `100644,${await emptyBlob(repo)},${repo.plan}`]);
  return await run(['write-tree']);
}

function pathspecsOf({ plan }: StoryRepo, request: Wanted): readonly string[] {
  const { kind, paths } = request.revert;
  if (kind === 'only' && paths.length === 0) return [];
  const named = kind === 'only' ? paths.map((path) => literally(path)) : [EVERYTHING, ...paths.map((path) => literally(path, 'exclude,'))];
  return request.plan === null ? named : [...named, literally(plan, 'exclude,')];
}

/** Whether a folder is in the place of the list, or something else in the place of its folders: a rename does not replace these. */
async function hasNoRoom({ topLevel, plan, planPath }: StoryRepo): Promise<boolean> {
  const leaf = await lstat(planPath).catch(() => null);
  if (leaf?.isDirectory()) return true;
  for (let folder = dirname(plan); folder !== '.'; folder = dirname(folder)) {
    const found = await lstat(join(topLevel, folder)).catch(() => null);
    if (found !== null && !found.isDirectory()) return true;
  }
  return false;
}

const emptyBlob = async ({ git }: StoryRepo) => must(await git(['hash-object', '-w', '-t', 'blob', '/dev/null'], {}), 'nothing can be written');

interface Journey {
  readonly copy: CopyWatch;
  readonly keptRef: string;
  /** Called again after a .gitignore was reverted. */
  readonly goal: (now: string) => Promise<string>;
  /** Called with the paths that are about to be reverted. */
  readonly about: (paths: readonly string[]) => Promise<void>;
}

/**
 * Changes the working copy to the tree that `goal` returns; the state before is kept under the ref. It reverts .gitignore files first, so that a file hidden
 * by a changed one is seen, and one that was always ignored is left alone.
 */
export async function goTo(repo: StoryRepo, { copy, keptRef, goal, about }: Journey): Promise<void> {
  for (const [pattern, isMeant] of [
    ['**/.gitignore', isIgnoreFile],
    ['**', () => true],
  ] as const) {
    const { now } = await copy.see();
    const tree = await goal(now);
    const paths = (await changedPaths(repo, tree, now)).filter(isMeant);
    if (paths.length === 0) continue;
    await about(paths);
    copy.changed();
    await revertTo(repo, { tree, patterns: [pattern], keptRef });
  }
}

const isIgnoreFile = (path: string) => basename(path) === '.gitignore';

/** Throws if nested repositories are among them: they would be lost with all their contents, and no ref can keep that. */
async function changedPaths({ git }: StoryRepo, goal: string, now: string): Promise<readonly string[]> {
  if (goal === now) return [];
  const raw = must(await git(['diff-tree', '-r', '-z', '--raw', '--no-renames', goal, now]), 'the working copy cannot be compared');
  const touched = [...rawPaths(raw)];
  const planted = touched.find(({ before, now: found }) => found?.mode === SUBMODULE && before?.mode !== SUBMODULE);
  if (planted) throw new GitTrouble(`${oneLine(planted.path)} is a repository of its own, which cannot be put back: remove it`);
  return touched.map(({ path }) => path);
}

/** Whether a path is the list of stories, or below its path. */
export const isPlan = ({ plan }: StoryRepo, path: string) => path === plan || path.startsWith(`${plan}/`);
