import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathExists } from '../../kit/files/read.ts';
import { identityOf, livenessOf } from '../../process/identity.ts';
import type { ProcessIdentity } from '../../process/process-request.ts';
import { isCopiedInto, NEVER_BROUGHT } from '../isolated/ignored-folders.ts';
import { removeTaskWorktree } from '../tasks/close.ts';
import type { TaskGit } from '../tasks/git-task-place.ts';
import { addWorktree, findWorktree, furnishWorktree, hasFolder, isReady, setReady, type TaskWorktree } from '../tasks/git-task-worktree.ts';
import { stopIfAborted } from '../tasks/locks.ts';
import { listedWorktrees } from '../worktrees/git-worktree-list.ts';

/** The worktree in which merged results are judged: one for all merges of a run, so that its setup need not run again. */
export interface MergeScratch extends AsyncDisposable {
  /** Checks out that commit, with nothing else in it except ignored files as the setup left them. */
  on(commit: string, signal: AbortSignal): Promise<TaskWorktree>;
}

const FOLDER = '.merge-';
/** The reason for the lock: it keeps git from pruning the worktree and names the process that owns it. */
const REASON = 'ralph ';

export function openMergeScratch(ground: TaskGit): MergeScratch {
  const path = async () => join(await ground.root(), `${FOLDER}${ground.run}`);
  let isMade = false;
  return {
    async on(commit, signal) {
      stopIfAborted(signal);
      const found = await findWorktree(ground, await path());
      if (found !== null && (await hasFolder(found)) && (await isReady(found)) && (await isPutOn(ground, found, commit))) {
        if (!isMade) await writeFile(join(found.admin, 'locked'), whose());
        isMade = true;
        return found;
      }
      const made = await makeAnew(ground, await path(), { commit, signal });
      isMade = true;
      return made;
    },
    async [Symbol.asyncDispose]() {
      await removeTaskWorktree(ground, await path());
    },
  };
}

const whose = () => REASON + JSON.stringify(identityOf(process.pid));

/** A copy of the ignored files that the setup has made, in git's folder for the worktree. */
const FURNISHED = 'ralph-furnished';

/**
 * Also leaves an unfinished merge, and a branch that a gate has checked out. Ignored files are those of the setup again: gates run the tests of one agent
 * after another, and what one of them leaves, such as another test runner, must not judge the next.
 */
async function isPutOn(ground: TaskGit, { git, path, admin }: TaskWorktree, commit: string): Promise<boolean> {
  const there = await git(['checkout', '--quiet', '--force', '--detach', commit, '--'], {});
  if (there.code !== 0 || (await git(['clean', '--quiet', '-ffdx'])).code !== 0) return false;
  const kept = join(admin, FURNISHED);
  return !(await pathExists(kept)) || (await isCopiedInto(path, `${kept}/.`, ground.env));
}

/** False also if not all of it could be copied: then the setup runs again. */
async function isFurnitureKept({ env }: TaskGit, { git, path, admin }: TaskWorktree): Promise<boolean> {
  const listed = await git(['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z']);
  const names = listed.stdout.split('\0').filter((name) => name !== '' && !NEVER_BROUGHT.test(name.replace(/\/$/, '')));
  for (const name of names) {
    const to = join(admin, FURNISHED, dirname(name));
    await mkdir(to, { recursive: true });
    if (!(await isCopiedInto(to, join(path, name), env))) return false;
  }
  return listed.code === 0;
}

interface Wish {
  readonly commit: string;
  readonly signal: AbortSignal;
}

async function makeAnew(ground: TaskGit, path: string, { commit, signal }: Wish): Promise<TaskWorktree> {
  await removeTaskWorktree(ground, path);
  await removeAbandoned(ground);
  const made = await addWorktree(ground, path, ['--detach', '--lock', '--reason', whose(), path, commit]);
  await furnishWorktree(ground, made, signal);
  if (await isFurnitureKept(ground, made)) await setReady(made);
  return made;
}

/** Removes those of runs whose process is gone. */
async function removeAbandoned(ground: TaskGit): Promise<void> {
  const root = await ground.root();
  const listed = await listedWorktrees(ground.git).catch(() => []);
  for (const { path, lockedFor } of listed) {
    if (dirname(path) !== root || !basename(path).startsWith(FOLDER) || !lockedFor?.startsWith(REASON)) continue;
    if (isGone(lockedFor.slice(REASON.length))) await removeTaskWorktree(ground, path).catch(() => undefined);
  }
}

function isGone(owner: string): boolean {
  try {
    return livenessOf(JSON.parse(owner) as ProcessIdentity) === 'dead';
  } catch {
    return false;
  }
}
