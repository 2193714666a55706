import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type MountRule, makeFile, makeFolderIn } from './mount-plan.ts';
import { trustedPath } from './trusted-path.ts';
import type { WorkTree } from './work-tree.ts';

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
