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

/** Null: not there. */
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

/** A repository of its own, inside ours. */
export const SUBMODULE = '160000';

/**
 * Git's own patterns, seen from the top of the work tree. Without a wild card a pattern names a file or a folder with all below it, and so
 * does one that ends with a slash.
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
  /** Of an index that is ours to change, and of the user's objects. */
  readonly own: Variables;
  /** True where that index was named just now: our own files are then in it as HEAD has them. */
  readonly isClean?: boolean;
}

/** What became another than it is in the tree. Names the working copy, with all its objects kept. */
export async function touchedSince(place: HistoryPlace, watched: Watched): Promise<Touched> {
  const git = suspicious(place);
  await lookBehindTheFlags(place, watched);
  const { tree: now, problem } = await nameTree(git, watched.own, { words: ['--sparse'], isClean: watched.isClean ?? false });
  if (now === null) throw new Error(problem ?? 'the working copy cannot be read');
  const compared = await git(['diff-tree', '-r', '-z', '--raw', '--no-renames', watched.tree, now, '--', ...watched.pathspecs], watched.own);
  if (compared.code !== 0) throw new Error(firstComplaint(compared));
  return { now, paths: [...rawPaths(compared.stdout)] };
}

/** From the top, and with no setting by which another file of the same size and time would pass for the same. */
function suspicious({ git, topLevel }: HistoryPlace): Git {
  return (args, own) => git(['-C', topLevel, '-c', 'core.trustctime=true', '-c', 'core.checkStat=default', ...args], own);
}

/**
 * Git does not look at files that are flagged as unchanged, or as not checked out; these are looked at if they are there. They are entered anew: what the index
 * knows of their times is worth nothing, for git does not mark a flagged file that was changed in the second in which the index was written.
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

/** As `git diff-tree --raw -z` has them. */
export function* rawPaths(raw: string): Generator<TouchedPath> {
  for (const [, modeBefore = '', mode = '', idBefore = '', id = '', path = ''] of raw.matchAll(/:(\d+) (\d+) (\w+) (\w+) \w\0([^\0]+)\0/g))
    yield { path, before: entry(modeBefore, idBefore), now: entry(mode, id) };
}

const entry = (mode: string, id: string): Entry | null => (mode === '000000' ? null : { mode, id });
