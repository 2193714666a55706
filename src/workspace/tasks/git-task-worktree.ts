import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pathExists } from '../../kit/files/read.ts';
import type { Captured } from '../../process/capture.ts';
import type { Git } from '../git/git-command.ts';
import type { TaskGit } from './git-task-place.ts';
import { must } from './locks.ts';

/** A worktree of ours, known by the folder git keeps for it: whatever becomes of the files, commands never reach another repository by mistake. */
export interface TaskWorktree {
  readonly path: string;
  /** Git's own folder for it, where HEAD and the index are. */
  readonly admin: string;
  /** At its top. */
  readonly git: Git;
}

/** Says that a worktree was finished before anybody was let in. It goes with git's own folder, and before the files do. */
const READY = 'ralph-ready';

export async function findWorktree(ground: TaskGit, path: string): Promise<TaskWorktree | null> {
  const likely = await likelyAdmin(ground, path);
  if (await belongsTo(likely, path)) return worktreeAt(ground, path, likely);
  const all = dirname(likely);
  for (const name of await readdir(all).catch(() => [])) if (await belongsTo(join(all, name), path)) return worktreeAt(ground, path, join(all, name));
  return null;
}

/** Git calls it like the folder, unless that name is taken. A name in there does not begin with a dot. */
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

/** A link in its place is none: what it leads to is not ours. */
export async function hasFolder({ path }: Pick<TaskWorktree, 'path'>): Promise<boolean> {
  return await lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** On that branch, which begins at `start` unless it is there already. Nothing of an earlier worktree is left at its place. */
export async function addBranchWorktree(ground: TaskGit, path: string, { branch, start }: { branch: string; start: string }): Promise<TaskWorktree> {
  const added = await ground.git(['worktree', 'add', '--quiet', '--no-track', '-b', branch, path, start], {});
  // Also after a try that failed: git makes the branch first, and leaves it.
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

/** Puts back what somebody took away: the files as they are committed, or only the file that says whose they are. True: the files were gone. */
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
