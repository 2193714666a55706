import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OwnGit, SandboxPort } from '../../engine/ports/sandbox.ts';
import { oneLine } from '../../kit/pure/text.ts';
import { capture } from '../../process/capture.ts';
import { GIT_TIMEOUT_MS, type Git, headOf, type Variables } from '../git/git-command.ts';
import { foldersWithParts, isGitFolder } from '../git/git-folders.ts';
import { OUR_NAME } from '../git/git-place.ts';
import { bringObjects } from '../own-git/cross.ts';
import { packBehind } from '../own-git/run-behind.ts';
import { must } from '../tasks/locks.ts';
import { bytesAt, found } from './carry.ts';
import type { Change, TreePath } from './tree-changes.ts';

/** Written beside the folder, so that Ralph can land its files after a crash. */
export interface State {
  /** The last known tree of the folder. */
  readonly tree: string;
  /** Whether a process may have changed it since. */
  readonly isOut: boolean;
  readonly reader: OwnGit;
  /** The operator's nested repositories in the work tree. */
  readonly repositories: readonly TreePath[];
  /** What processes share with the operator. */
  readonly shared: readonly TreePath[];
  /** Lock files that have landed: the packages installed for them have not. */
  readonly locks: readonly TreePath[];
  /** Ignored folders that were copied. */
  readonly folders: readonly TreePath[];
  /** The state of the operator's ignored files when they were copied. */
  readonly copied: Readonly<Record<TreePath, string>>;
}

/** Null if there is none, or only a part of one. */
export async function readState(folder: string): Promise<State | null> {
  try {
    return JSON.parse(await readFile(join(folder, 'state.json'), 'utf8')) as State;
  } catch {
    return null;
  }
}

/** For the next sitting after a kill. If the machine goes down, the files beside it are no safer. */
export async function writeState(folder: string, state: State): Promise<void> {
  const file = join(folder, 'state.json');
  await writeFile(`${file}.new`, JSON.stringify(state));
  await rename(`${file}.new`, file);
}

const NAMED = 3;

/** What did not land because git does not take it. Only gates see such files, so each is told once; null if there is nothing new. */
export function leftLine(complaints: readonly string[], toldOf: Set<string>): string | null {
  const news = complaints.filter((line) => !toldOf.has(line));
  for (const line of news) toldOf.add(line);
  const more = news.length > NAMED ? ` and ${news.length - NAMED} more` : '';
  return news.length === 0 ? null : oneLine(`what git does not take does not land: ${news.slice(0, NAMED).join('; ')}${more}`);
}

/** Makes everything below a folder readable for its owner again, whatever an agent did to it. Follows no link. */
export async function makeReadable(folder: string, env: Variables): Promise<void> {
  await capture({ file: 'chmod', args: ['-R', 'u+rwX', '--', folder], ...waysIn(folder, env) });
}

/** Removes a folder even if it is read-only, or has paths that are too long. Returns why it could not, or null if the folder is gone. */
export async function clearAway(folder: string, env: Variables): Promise<string | null> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    return null;
  } catch {
    await makeReadable(folder, env);
    const { code, stderr } = await capture({ file: 'rm', args: ['-rf', '--', folder], ...waysIn(folder, env) });
    return code === 0 ? null : stderr.trim();
  }
}

const waysIn = (folder: string, { PATH = '' }: Variables) => ({ cwd: dirname(folder), env: { PATH, LC_ALL: 'C' }, timeoutMs: 5 * GIT_TIMEOUT_MS });

/**
 * Folders of a tree that git takes for a repository although they are not called `.git`, if one of these changes is a part of them. In such a folder git
 * would obey its settings.
 */
export function gitFoldersIn(tree: string, changes: readonly Change[]): readonly TreePath[] {
  const folders = foldersWithParts(changes.flatMap(({ path, after }) => (after === null ? [] : [path])));
  const kindOf = (path: TreePath) => {
    const there = found(bytesAt(tree, path));
    return there === undefined ? null : there.isDirectory() ? 'folder' : 'file';
  };
  return [...folders.keys()].filter((folder) => isGitFolder((name) => kindOf(`${folder}/${name}`)));
}

interface KeepPlace {
  readonly git: Git;
  readonly root: string;
  readonly commonDir: string;
  readonly env: Variables;
  /** The repository that has the objects of the tree. */
  readonly reader: OwnGit;
  readonly folder: string;
}

/** Keeps a tree that cannot land as a commit on HEAD, under a ref of Ralph's. */
export async function keepTree(
  wall: SandboxPort,
  { git, root, commonDir, env, reader, folder }: KeepPlace,
  { tree, ref }: { readonly tree: string; readonly ref: string },
): Promise<void> {
  const head = await headOf(git);
  const apart = join(folder, randomUUID());
  await mkdir(apart, { recursive: true });
  const pack = (revisions: readonly string[], file: string) => packBehind(wall, { root, env, ownGit: reader }, revisions, file);
  await bringObjects({ git, commonDir, before: { head, tips: new Map() }, folder: apart, pack }, [tree]);
  const parent = head === null ? [] : ['-p', head];
  const commit = must(
    await git(['commit-tree', tree, ...parent, '-m', 'What an agent made, which did not land'], OUR_NAME),
    'what an agent made cannot be kept',
  );
  must(await git(['update-ref', ref, commit]), 'what an agent made cannot be kept');
  await rm(apart, { recursive: true, force: true });
}
