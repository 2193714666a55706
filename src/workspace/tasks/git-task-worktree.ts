import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pathExists } from '../../kit/files/read.ts';
import type { Captured } from '../../process/capture.ts';
import { shelfOf, takeSettingsBack } from '../agent-settings/shelf.ts';
import type { Git } from '../git/git-command.ts';
import { namesIn } from '../git/git-folders.ts';
import type { TaskGit } from './git-task-place.ts';
import { GitTrouble, must } from './locks.ts';

/** A worktree of Ralph's, identified by git's folder for it: whatever happens to the files, commands never reach another repository by mistake. */
export interface TaskWorktree {
  readonly path: string;
  /** Git's own folder for it, with HEAD and the index. */
  readonly admin: string;
  /** Runs at its top. */
  readonly git: Git;
}

/** Marks a worktree that was complete before an agent worked in it. The file is in git's own folder, and is removed before the files of the worktree. */
const READY = 'ralph-ready';

/** No agent is at work in it: what it could not obey, and a killed loop has left beside it, goes back. */
export async function findWorktree(ground: TaskGit, path: string): Promise<TaskWorktree | null> {
  const found = await knownWorktree(ground, path);
  if (found !== null) takeSettingsBack({ tree: path, shelf: shelfOf(await ground.commonDir(), path) });
  return found;
}

async function knownWorktree(ground: TaskGit, path: string): Promise<TaskWorktree | null> {
  const likely = await likelyAdmin(ground, path);
  if (await belongsTo(likely, path)) return worktreeAt(ground, path, likely);
  const all = dirname(likely);
  for (const name of await readdir(all).catch(() => [])) if (await belongsTo(join(all, name), path)) return worktreeAt(ground, path, join(all, name));
  return null;
}

/** Git names it after the folder, unless that name is taken, and replaces a leading dot. */
export async function likelyAdmin({ commonDir }: TaskGit, path: string): Promise<string> {
  return join(await commonDir(), 'worktrees', basename(path).replace(/^\./, '-'));
}

async function belongsTo(admin: string, path: string): Promise<boolean> {
  const gitFile = await readFile(join(admin, 'gitdir'), 'utf8').catch(() => '');
  return gitFile !== '' && resolve(admin, gitFile.trim()) === join(path, '.git');
}

function worktreeAt({ git }: TaskGit, path: string, admin: string): TaskWorktree {
  return { path, admin, git: (args, own) => git(['-C', path, `--git-dir=${admin}`, `--work-tree=${path}`, ...args], own) };
}

export const isReady = ({ admin }: TaskWorktree) => pathExists(join(admin, READY));
export const setReady = ({ admin }: TaskWorktree) => writeFile(join(admin, READY), '');
export const setUnready = ({ admin }: TaskWorktree) => rm(join(admin, READY), { force: true });

/** A link in its place does not count: its target is not Ralph's. */
export async function hasFolder({ path }: Pick<TaskWorktree, 'path'>): Promise<boolean> {
  return await lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Checks out that branch, which begins at `start` if it is new. Nothing of an earlier worktree may be left there. */
export async function addBranchWorktree(ground: TaskGit, path: string, { branch, start }: { branch: string; start: string }): Promise<TaskWorktree> {
  const added = await ground.git(['worktree', 'add', '--quiet', '--no-track', '-b', branch, path, start], {});
  // Git makes the branch first, and leaves it if the rest fails.
  if (added.code !== 0 && /a branch named .* already exists/.test(added.stderr)) return await addWorktree(ground, path, [path, branch]);
  return await madeWorktree(ground, path, added);
}

/** `words` are those for `git worktree add`. */
export async function addWorktree(ground: TaskGit, path: string, words: readonly string[]): Promise<TaskWorktree> {
  return await madeWorktree(ground, path, await ground.git(['worktree', 'add', '--quiet', ...words], {}));
}

async function madeWorktree(ground: TaskGit, path: string, added: Captured): Promise<TaskWorktree> {
  must(added, `git cannot make the worktree ${path}`);
  const made = await findWorktree(ground, path);
  if (made === null) throw new Error(`git has made the worktree ${path} and does not know it`);
  return made;
}

/** How deep one repository may lie in another. */
const DEEPEST = 20;

/**
 * Removes the `.git` of each repository that an agent left among the new files: its files are then committed like any other, and no git obeys its settings.
 * Follows no link. The operator's submodules stay.
 */
export async function openNested(git: Git, path: string): Promise<void> {
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const nested = (await namesIn(git, ['ls-files', '--others', '--exclude-standard', '--full-name', ':/'])).filter((name) => name.endsWith('/'));
    if (nested.length === 0) return;
    for (const name of nested) await rm(join(path, name, '.git'), { recursive: true, force: true, maxRetries: 3 });
  }
  throw new GitTrouble('an agent has put too many repositories into each other');
}

/** Restores what somebody removed: the committed files, or only the `.git` file. True if the files were gone. */
export async function restoreFolder({ path, admin, git }: TaskWorktree): Promise<boolean> {
  const isGone = !(await hasFolder({ path }));
  if (isGone) {
    await rm(path, { force: true });
    await mkdir(path, { recursive: true });
  }
  if (!(await pathExists(join(path, '.git')))) await writeFile(join(path, '.git'), `gitdir: ${admin}\n`);
  if (isGone) must(await git(['reset', '--quiet', '--hard'], {}), `git cannot put back the files of ${path}`);
  return isGone;
}

/** A worktree whose setup failed is not ready, and is made again the next time. */
export async function furnishWorktree(ground: TaskGit, { path }: TaskWorktree, signal: AbortSignal): Promise<void> {
  const problem = await ground.furnish({ path, cwd: await ground.cwdIn(path) }, signal);
  if (problem !== null) throw new GitTrouble(problem);
}
