import { readFileSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathExists } from '../../kit/files/read.ts';
import { isAtOrBelow, type TreePath } from './tree-changes.ts';

const LANDED = 'landed.jsonl';
const TOUCHED = 'touched.jsonl';
/** Stands for all paths. */
const EVERYTHING = '/';

/**
 * Records which paths Ralph writes into the operator's work tree, even if none: every other change there is the operator's own. The file is beside the folder
 * of the run's files.
 */
export function rememberLanded(folder: string, paths: readonly TreePath[]): Promise<void> {
  return append(join(dirname(folder), LANDED), paths);
}

/** Whether a run may have changed a path. For a run that worked in place the answer is always yes. */
export async function landedBy(runFolder: string): Promise<(path: TreePath) => boolean> {
  return isIn(await readPaths(join(runFolder, LANDED)));
}

/**
 * Records which paths an agent or a gate has changed, in files or in a commit, before anything is visible outside: whether it landed, was kept, or did not
 * come over. A commit of any other path is a person's.
 */
export function rememberTouched(runFolder: string, paths: readonly TreePath[]): Promise<void> {
  return append(join(runFolder, TOUCHED), paths);
}

/** Called before the first process of a sitting. If an earlier sitting kept no such list, every path counts as touched. */
export async function beginTouched(runFolder: string, paths: readonly TreePath[]): Promise<void> {
  const isLate = (await pathExists(join(runFolder, LANDED))) && !(await pathExists(join(runFolder, TOUCHED)));
  await rememberTouched(runFolder, [...paths, ...(isLate ? [EVERYTHING] : [])]);
}

/** In this sitting agents work in the operator's files, so every path counts as touched. */
export const rememberAllTouched = (runFolder: string) => rememberTouched(runFolder, [EVERYTHING]);

/** Whether an agent or a gate may have changed a path, as git names it. */
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

/** The last line may be incomplete. */
function pathIn(line: string): readonly TreePath[] {
  try {
    return [JSON.parse(line) as string];
  } catch {
    return [];
  }
}

/** The folder of gates, beside that of agents: what an agent leaves in an ignored folder, such as another test runner, judges nothing. */
export const gatesFolderOf = (folder: string) => `${folder}-gates`;

/** Whether a folder of that run's agents or gates was in use when it was last written, so that changes in it may not have landed. */
export function hasUnlanded(runFolder: string): boolean {
  const agents = join(runFolder, 'isolated');
  return [agents, gatesFolderOf(agents)].some((folder) => isOut(join(folder, 'state.json')));
}

function isOut(file: string): boolean {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { readonly isOut?: boolean }).isOut === true;
  } catch {
    return false;
  }
}
