import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { oneLine } from '../../kit/pure/text.ts';
import { firstComplaint, type Git, type Variables } from './git-command.ts';
import { feedGit } from './git-feed.ts';
import type { HistoryPlace } from './git-place.ts';
import { nameTree } from './git-tree.ts';

export interface Entry {
  readonly mode: string;
  readonly id: string;
}

/** Null means: does not exist. */
export interface TouchedPath {
  readonly path: string;
  readonly before: Entry | null;
  readonly now: Entry | null;
}

export interface Touched {
  /** The tree of the whole working copy. */
  readonly now: string;
  readonly paths: readonly TouchedPath[];
}

/** A nested repository. */
export const SUBMODULE = '160000';

/**
 * Git's own patterns, relative to the top of the work tree. A pattern without a wild card, or with a slash at its end, names a file, or a folder with
 * everything below it.
 */
export function pathspecsOf(patterns: readonly string[]): readonly string[] {
  const outside = patterns.find((pattern) => /(^|\/)\.\.(\/|$)/.test(pattern.trim()));
  if (outside !== undefined) throw new Error(`a protected pattern leads out of the repository: ${oneLine(outside)}`);
  return patterns
    .map((pattern) => pattern.trim().replace(/^(\.?\/)+/, ''))
    .filter((pattern) => pattern !== '')
    .map((pattern) => (/[*?[]/.test(pattern) ? pattern.replace(/\/+$/, '/**') : pattern.replace(/\/+$/, '')))
    .map((pattern) => `:(top,glob)${pattern}`);
}

interface Watched {
  readonly tree: string;
  readonly pathspecs: readonly string[];
  /** Variables of an index that we may change, with the operator's objects. */
  readonly own: Variables;
  /** True if that index was named just now: Ralph's own files are then in it as in HEAD. */
  readonly isClean?: boolean;
}

/** The paths that differ from the tree. Names the working copy and keeps all its objects. */
export async function touchedSince(place: HistoryPlace, watched: Watched): Promise<Touched> {
  const git = suspicious(place);
  await lookBehindTheFlags(place, watched);
  const { tree: now, problem } = await nameTree(git, watched.own, {
    words: ['--sparse'],
    isClean: watched.isClean ?? false,
    ownOutput: place.scratch.ownOutput,
  });
  if (now === null) throw new Error(problem ?? 'the working copy cannot be read');
  const compared = await git(['diff-tree', '-r', '-z', '--raw', '--no-renames', watched.tree, now, '--', ...watched.pathspecs], watched.own);
  if (compared.code !== 0) throw new Error(firstComplaint(compared));
  return { now, paths: [...rawPaths(compared.stdout)] };
}

/** Runs at the top, without settings that would let another file of the same size and time pass as unchanged. */
function suspicious({ git, topLevel }: HistoryPlace): Git {
  return (args, own) => git(['-C', topLevel, '-c', 'core.trustctime=true', '-c', 'core.checkStat=default', ...args], own);
}

/**
 * Git skips files that are flagged as unchanged or as not checked out; this looks at those that exist. It enters them again, because their times in the index
 * are useless: git does not mark a flagged file that was changed in the second in which the index was written.
 */
async function lookBehindTheFlags({ git, topLevel, env }: HistoryPlace, { pathspecs, own }: Watched): Promise<void> {
  const listed = await git(['-C', topLevel, 'ls-files', '-v', '-s', '-z', '--', ...pathspecs], own);
  if (listed.code !== 0) throw new Error(firstComplaint(listed));
  const flagged = listed.stdout
    .split('\0')
    .map((line) => /^([a-zS]) (\d+ \w+ 0\t(.+))$/s.exec(line))
    .filter((found) => found !== null);
  const isThere = async ([, tag = '', , path = '']: RegExpExecArray) => !/s/i.test(tag) || (await lstat(join(topLevel, path)).catch(() => null)) !== null;
  const there = await Promise.all(flagged.map(isThere));
  const stdin = flagged.map(([, , entered]) => `${entered}\0`).filter((_, index) => there[index]);
  if (stdin.length === 0) return;
  const { isWhole, stderr } = await feedGit(
    { cwd: topLevel, env },
    { args: ['update-index', '-z', '--index-info'], own, stdin: stdin.join(''), mostBytes: 4096 },
  );
  if (!isWhole) throw new Error(firstComplaint({ stderr }));
}

/** Parses the output of `git diff-tree --raw -z`. */
export function* rawPaths(raw: string): Generator<TouchedPath> {
  for (const [, modeBefore = '', mode = '', idBefore = '', id = '', path = ''] of raw.matchAll(/:(\d+) (\d+) (\w+) (\w+) \w\0([^\0]+)\0/g))
    yield { path, before: entry(modeBefore, idBefore), now: entry(mode, id) };
}

const entry = (mode: string, id: string): Entry | null => (mode === '000000' ? null : { mode, id });
