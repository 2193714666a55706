import { appendFile, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathExists } from '../../kit/files/read.ts';
import { isAtOrBelow, type TreePath } from './tree-changes.ts';

const LANDED = 'landed.jsonl';
const TOUCHED = 'touched.jsonl';
/** The folder of all files. */
const EVERYTHING = '/';

/** Remembers which paths Ralph puts into the operator's work tree, be it none: all else there is the operator's own doing. Lies beside the folder of the run's files. */
export function rememberLanded(folder: string, paths: readonly TreePath[]): Promise<void> {
  return append(join(dirname(folder), LANDED), paths);
}

/** Whether a run may have changed a path. Of one that worked in place nobody can tell. */
export async function landedBy(runFolder: string): Promise<(path: TreePath) => boolean> {
  return isIn(await readPaths(join(runFolder, LANDED)));
}

/**
 * Remembers which paths an agent or a gate has made something of, in its files or in a commit, before any of it can be seen outside: whether it landed, was
 * kept, or did not come over. What somebody commits of all other paths is a person's.
 */
export function rememberTouched(runFolder: string, paths: readonly TreePath[]): Promise<void> {
  return append(join(runFolder, TOUCHED), paths);
}

/** Before the first process, or a later sitting's first. Of a run that went on without such a list nobody can tell any more. */
export async function beginTouched(runFolder: string, paths: readonly TreePath[]): Promise<void> {
  const isLate = (await pathExists(join(runFolder, LANDED))) && !(await pathExists(join(runFolder, TOUCHED)));
  await rememberTouched(runFolder, [...paths, ...(isLate ? [EVERYTHING] : [])]);
}

/** In this sitting agents work in the operator's files, so from now on nobody can tell. */
export const rememberAllTouched = (runFolder: string) => rememberTouched(runFolder, [EVERYTHING]);

/** Whether an agent or a gate may have made something of a path, as git names it. */
export async function touchedBy(runFolder: string): Promise<(name: string) => boolean> {
  return isIn((await readPaths(join(runFolder, TOUCHED)))?.map((path) => Buffer.from(path, 'latin1').toString()) ?? null);
}

const append = (file: string, paths: readonly TreePath[]) => appendFile(file, paths.map((path) => `${JSON.stringify(path)}\n`).join(''), { mode: 0o600 });

async function readPaths(file: string): Promise<readonly TreePath[] | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? null : text.split('\n').flatMap((line) => pathIn(line));
}

function isIn(paths: readonly string[] | null): (path: string) => boolean {
  if (paths === null || paths.includes(EVERYTHING)) return () => true;
  const exact = new Set(paths);
  const folders = paths.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1));
  return (path) => exact.has(path) || isAtOrBelow(path, folders);
}

/** The last line may be half of one. */
function pathIn(line: string): readonly TreePath[] {
  try {
    return [JSON.parse(line) as string];
  } catch {
    return [];
  }
}
