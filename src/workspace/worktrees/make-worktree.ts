import { mkdir, realpath, rm, rmdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isInside } from '../../kit/files/read.ts';
import { OperatorError } from '../../kit/pure/operator-error.ts';
import { withoutGitVariables } from '../../sandbox/environment/environment.ts';
import type { GitCli } from '../git/git-cli.ts';
import type { Git } from '../git/git-command.ts';
import type { Behind } from '../git/git-place.ts';
import { gitAt } from '../git/plain-repository.ts';
import type { Workspace } from '../workspace.ts';
import { bringAlong, type WantedWorktree } from './bring-along.ts';
import type { AddedWorktree } from './git-worktrees.ts';
import { keepOutOfCommits, runSetup } from './prepare-worktree.ts';

export interface MakeRequest {
  readonly wanted: WantedWorktree;
  /** The name of its folder; the branch is new as well. */
  readonly name: string;
  readonly branch: string;
  /** The file for the output of the setup. */
  readonly setupLog: string;
  readonly setupMarker: string;
  /** The sandbox around the setup, and its environment; null: no sandbox, and the whole environment. */
  readonly behind: Behind | null;
  readonly signal: AbortSignal;
  readonly warn: (text: string) => void;
}

export interface MadeWorktree extends AddedWorktree {
  /** The folder in it that corresponds to the operator's current folder. */
  readonly cwd: string;
}

type WithGit = Workspace & { readonly git: GitCli };

/** Makes a worktree of HEAD and sets it up. `then` is the rest of what must succeed: if anything fails, the worktree is removed again. */
export async function makeWorktree<T>(origin: Workspace, request: MakeRequest, then: (made: MadeWorktree) => Promise<T>): Promise<T> {
  const place = withGit(origin);
  const { worktrees } = place.git;
  const root = await makeRoot(place.git, request.wanted.root);
  try {
    const left = notCommitted(gitAt(place.git.topLevel, origin.env));
    const added = await worktrees.add({ path: join(root, request.name), branch: request.branch });
    return await orTakeAway(added, place.git, async () => await then(await furnish(added, place, { ...request, left })));
  } catch (error) {
    if (request.wanted.root === null) await removeRootIfEmpty(root);
    throw error;
  }
}

/** The worktree has no work yet. Removes the files first: git does not remove what a setup has made unlike a worktree. */
async function orTakeAway<T>({ path }: AddedWorktree, git: GitCli, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    await git.worktrees.remove(path, { force: true, branch: 'delete' }).catch(() => undefined);
    throw error;
  }
}

async function furnish(added: AddedWorktree, place: WithGit, request: MakeRequest & { readonly left: Promise<readonly string[]> }): Promise<MadeWorktree> {
  const { wanted, warn, signal } = request;
  const { git, env } = place;
  const cwd = join(added.path, relative(git.topLevel, await realpath(place.cwd)));
  await mkdir(cwd, { recursive: true });
  const brought = await bringAlong(wanted, { cwd: place.cwd, from: git.topLevel, to: added.path }, warn);
  await keepOutOfCommits(brought, { here: gitAt(git.topLevel, env), there: gitAt(added.path, env), commonDir: git.commonDir }, warn);
  tellWhatStaysBehind(await request.left, brought, warn);
  if (added.submodules.length > 0 && wanted.setup === null) {
    warn(`submodules are empty in the worktree: ${added.submodules.join(', ')}; worktree.setup can fetch them with: git submodule update --init`);
  }
  if (wanted.setup) {
    const around = request.behind === null ? {} : { wall: request.behind.wall };
    const setupEnv = withoutGitVariables(request.behind?.env ?? env);
    await runSetup({ ...wanted.setup, ...around, cwd, env: setupEnv, logFile: request.setupLog, marker: request.setupMarker }, signal);
  }
  return { ...added, cwd };
}

function withGit(origin: Workspace): WithGit {
  if (origin.git) return { ...origin, git: origin.git };
  throw new OperatorError('git-required', `a worktree needs a git repository, and ${origin.cwd} is in none`, {
    hint: 'Run `git init` and make a first commit, or leave --worktree out.',
    exitCode: 4,
  });
}

/** Creates the folder for worktrees, and resolves links in its name, as git lists it. */
export async function makeRoot(git: GitCli, wanted: string | null): Promise<string> {
  const root = wanted ?? (await git.worktrees.root());
  if (root === git.topLevel || isInside(git.topLevel, root)) throw insideOfRepository(root);
  try {
    await mkdir(root, { recursive: true });
  } catch (cause) {
    throw new OperatorError('worktree-failed', `cannot make the folder for worktrees ${root}: ${(cause as Error).message}`, {
      hint: 'Make the folder above it writable, or name another one in worktree.root of the settings.',
      exitCode: 4,
      cause,
    });
  }
  const real = await realpath(root);
  if (real === git.topLevel || isInside(git.topLevel, real)) throw insideOfRepository(real);
  return real;
}

/** Removes the folder with its last worktree. A folder that the operator named stays. */
export async function removeRootIfEmpty(root: string): Promise<void> {
  await rmdir(root).catch(() => undefined);
}

/** There searchers, test runners and git itself would find every file twice. */
function insideOfRepository(root: string): OperatorError {
  return new OperatorError('worktree-root', `worktree.root lies inside of the repository: ${root}`, {
    hint: 'Name a folder outside of it; without worktree.root it is one beside the repository.',
    exitCode: 2,
  });
}

const NAMED = 3;

/** The uncommitted paths of the operator's work tree, relative to its top. */
export async function notCommitted(git: Git): Promise<readonly string[]> {
  const { stdout } = await git(['--no-optional-locks', 'status', '--porcelain', '-z', '--no-renames', '--untracked-files=normal']);
  return stdout
    .split('\0')
    .filter(Boolean)
    .map((change) => change.slice(3).replace(/\/$/, ''));
}

/** Prints one line, or none. Leaves out settings, which are read in the operator's folder, and what was brought along. */
function tellWhatStaysBehind(paths: readonly string[], brought: readonly string[], warn: (text: string) => void): void {
  const isAtHand = (path: string) => /(^|\/)\.ralph(\/|$)/.test(path) || brought.some((along) => along === path || path.startsWith(`${along}/`));
  const left = paths.filter((path) => !isAtHand(path));
  if (left.length === 0) return;
  const more = left.length > NAMED ? ` and ${left.length - NAMED} more` : '';
  warn(`not committed, so not in the worktree: ${left.slice(0, NAMED).join(', ')}${more}`);
}
