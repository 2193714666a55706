import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { type MountRule, makeFile, makeFolderIn } from './mount-plan.ts';
import { trustedPath } from './trusted-path.ts';

/** The files of a work tree that Ralph obeys: no agent may change them. */
export const OBEYED = ['.ralph', 'ralph.yaml', 'ralph.yml'];

/** The work tree that a process may write, and its relation to the repository. */
export interface WorkTree {
  readonly root: string;
  /**
   * main: its `.git` is the repository itself or leads to it. linked: `own` is its part of the repository. none: a folder without git, or with a git that is
   * not the run's.
   */
  readonly kind: 'main' | 'linked' | 'none';
  readonly own: string | null;
  /** The `.git` if it is a file, which tells git where the repository is. */
  readonly gitFile: string | null;
}

/**
 * The work tree that contains a folder. A `.git` counts only if it belongs to the run's repository: an agent can write one that points anywhere. The folder
 * must be given by its real path.
 */
export async function findWorkTree(cwd: string, commonDir: string | null): Promise<WorkTree> {
  if ((await realpath(cwd).catch(() => null)) !== resolve(cwd))
    throw refused(`${cwd} is not the real path of a folder`, 'A symbolic link on the way could lead the sandbox anywhere.');
  const found = commonDir === null ? null : await walkUp(cwd, commonDir);
  const tree = found ?? { root: resolve(cwd), kind: 'none' as const, own: null, gitFile: null };
  if (tree.root === '/') throw refused('the work tree is the whole machine', 'Run it in a folder of its own.');
  return tree;
}

async function walkUp(cwd: string, commonDir: string): Promise<WorkTree | null> {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const git = join(folder, '.git');
    const found = await lstat(git).catch(() => null);
    if (found?.isSymbolicLink())
      throw refused(`${git} is a symbolic link`, 'An agent in the sandbox could replace it. Make it a file with the line "gitdir: <path>".');
    const tree = found === null ? null : await judge(folder, git, { isFolder: found.isDirectory(), commonDir });
    if (tree !== null) return tree;
    if (folder === dirname(folder)) return null;
  }
}

async function judge(root: string, git: string, { isFolder, commonDir }: { readonly isFolder: boolean; readonly commonDir: string }): Promise<WorkTree | null> {
  if (isFolder) return git === commonDir ? { root, kind: 'main', own: null, gitFile: null } : null;
  const gitDir = await gitDirOf(git);
  if (gitDir === commonDir) return { root, kind: 'main', own: null, gitFile: git };
  if (gitDir === null || dirname(gitDir) !== join(commonDir, 'worktrees') || !(await pointsBack(gitDir, git))) return null;
  return { root, kind: 'linked', own: gitDir, gitFile: git };
}

async function gitDirOf(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const [, path] = /^gitdir: (.+?)\r?\n?$/.exec(text) ?? [];
  return path === undefined ? null : await realpath(resolve(dirname(file), path)).catch(() => null);
}

/** Each part of a repository names its work tree, in a file that no agent can write. */
async function pointsBack(own: string, git: string): Promise<boolean> {
  const text = await readFile(join(own, 'gitdir'), 'utf8').catch(() => '');
  return text !== '' && (await realpath(resolve(own, text.trim())).catch(() => null)) === git;
}

function refused(message: string, hint: string): OperatorError {
  return new OperatorError('sandbox-refused', message, { hint, exitCode: 4 });
}

/** Files that make git run something, and Ralph's own. `packed-refs` stays writable: without it no branch can be deleted. */
const SEALED = ['config', 'config.worktree', 'hooks', 'info/attributes', 'ralph', 'refs/ralph'];
const SEALED_OF_WORKTREE = ['commondir', 'gitdir', 'config.worktree'];
const SEALED_OF_MODULE = ['config', 'config.worktree', 'hooks', 'info/attributes'];
const DEEPEST_MODULE = 6;

/** Lets a process commit in its work tree, but not change anything in the repository that a git outside the sandbox would obey. */
export async function gitRules(commonDir: string, tree: WorkTree): Promise<readonly MountRule[]> {
  await makeWhatCouldBePlanted(commonDir, tree);
  const parts = join(commonDir, 'worktrees');
  const sealed = [
    ...SEALED.map((name) => join(commonDir, name)),
    ...(await namesIn(parts)).flatMap((name) => SEALED_OF_WORKTREE.map((file) => join(parts, name, file))),
    ...(await modulesBelow(join(commonDir, 'modules'), DEEPEST_MODULE)).flatMap((folder) => SEALED_OF_MODULE.map((name) => join(folder, name))),
    ...(tree.gitFile === null ? [] : [tree.gitFile]),
  ];
  return [{ path: commonDir, as: 'writable' }, ...ownPartOnly(parts, tree), ...sealed.flatMap(sealOf)];
}

/** A link cannot be sealed: the mount would cover its target, and the link itself could be replaced. */
function sealOf(path: string): readonly MountRule[] {
  return trustedPath(path, (link) => link === path) === null ? [] : [{ path, as: 'read-only' }];
}

/** A linked work tree needs no other's part of the repository. The whole folder is covered, so that one added later is out of reach too. */
function ownPartOnly(parts: string, { own }: WorkTree): readonly MountRule[] {
  if (own === null) return [];
  return [
    { path: parts, as: 'read-only' },
    { path: own, as: 'writable' },
  ];
}

/** A missing file cannot be sealed, so Ralph creates it empty. Empty ones change nothing for git. */
async function makeWhatCouldBePlanted(commonDir: string, { own }: WorkTree): Promise<void> {
  for (const name of ['hooks', 'info', 'refs/ralph']) await makeFolderIn(commonDir, name);
  for (const file of ['info/attributes', 'config.worktree']) await makeFile(join(commonDir, file));
  if (own !== null) await makeFile(join(own, 'config.worktree'));
}

/** The repositories of submodules: folders with a HEAD, at any depth below `modules`. */
async function modulesBelow(folder: string, depth: number): Promise<readonly string[]> {
  const names = depth === 0 ? [] : await namesIn(folder);
  const found = await Promise.all(
    names.map(async (name) => {
      const at = join(folder, name);
      if (await isRealThing(join(at, 'HEAD'))) return [at, ...(await modulesBelow(join(at, 'modules'), depth - 1))];
      return await modulesBelow(at, depth - 1);
    }),
  );
  return found.flat();
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function isRealThing(path: string): Promise<boolean> {
  return await lstat(path).then(
    (found) => !found.isSymbolicLink(),
    () => false,
  );
}
