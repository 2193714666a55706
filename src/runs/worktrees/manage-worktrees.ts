import { join, resolve } from 'node:path';
import { openScope, type Scope } from '../../kit/async/scope.ts';
import { assertNever } from '../../kit/pure/assert-never.ts';
import { OperatorError, withOperatorErrors } from '../../kit/pure/operator-error.ts';
import { oneLine } from '../../kit/pure/text.ts';
import { loadLoopSettings } from '../../settings/load-loop-settings.ts';
import { worktreeSettings } from '../../settings/requested-settings.ts';
import { takeLock } from '../../store/lock.ts';
import { runLock } from '../../store/runs/run-lock.ts';
import type { GitCli } from '../../workspace/git/git-cli.ts';
import { gitAt } from '../../workspace/git/plain-repository.ts';
import { openWorkspace, type Workspace } from '../../workspace/workspace.ts';
import type { WantedWorktree } from '../../workspace/worktrees/bring-along.ts';
import { type MadeWorktree, makeWorktree, notCommitted, removeRootIfEmpty } from '../../workspace/worktrees/make-worktree.ts';
import { BRANCH_PREFIX } from '../../workspace/worktrees/own-worktree.ts';
import { type OurWorktree, ourWorktrees } from './our-worktrees.ts';
import { type Loss, whyCleanKeeps, whyRemoveRefuses } from './why-kept.ts';

interface Repository {
  readonly workspace: Workspace;
  readonly git: GitCli;
  readonly wanted: WantedWorktree;
  readonly roots: readonly string[];
}

/** Creates a worktree for the operator, set up like that of a run. */
export function newWorktree(cwd: string, name: string, warn: (text: string) => void): Promise<MadeWorktree> {
  return inRepository(cwd, async ({ workspace, git, wanted }) => {
    // No dots: a dot and a number at the end mark the branch of a task.
    if (!/^\w[\w-]*$/.test(name)) throw refused('worktree-name', `"${name}" is not a valid worktree name`, 'Use letters, digits, _ and -', 2);
    const log = join(git.commonDir, 'ralph', 'worktrees', `${name}.setup.log`);
    const request = {
      wanted,
      name,
      branch: `${BRANCH_PREFIX}${name}`,
      setupLog: log,
      behind: null,
      setupMarker: `worktree-${name}~0`,
      signal: new AbortController().signal,
      warn,
    };
    return await makeWorktree(workspace, request, (made) => Promise.resolve(made));
  });
}

export function listWorktrees(cwd: string): Promise<readonly OurWorktree[]> {
  return inRepository(cwd, oursIn);
}

export interface RemoveWorktree {
  /** Its name, path, branch or run. */
  readonly which: string;
  /** Remove it even if that loses work. */
  readonly force: boolean;
  /** Whether to delete its branch too. */
  readonly branch: boolean;
}

export function removeWorktree(cwd: string, { which, force, branch }: RemoveWorktree): Promise<OurWorktree & { readonly isBranchDeleted: boolean }> {
  return inRepository(cwd, async (repository) => {
    const found = named(which, cwd, await oursIn(repository));
    const why = whyRemoveRefuses(found, force);
    if (why !== null) {
      const named = await nameLosses(why.lost, found, repository.workspace);
      throw refused('worktree-kept', `${found.name} is not removed: ${why.reason}${named && `. ${named}`}`, why.hint, 4);
    }
    return await removeHeld(found, repository, { force: force || found.isGone, branch: branch ? 'delete' : 'keep' });
  });
}

export interface Cleaned {
  readonly removed: readonly OurWorktree[];
  readonly kept: readonly { readonly worktree: OurWorktree; readonly why: string }[];
}

/** Removes all worktrees that nobody needs any more. A worktree that cannot be removed is reported and does not stop the rest. */
export function cleanWorktrees(cwd: string, { dryRun }: { readonly dryRun: boolean }): Promise<Cleaned> {
  return inRepository(cwd, async (repository) => {
    const removed: OurWorktree[] = [];
    const kept: { worktree: OurWorktree; why: string }[] = [];
    for (const worktree of await oursIn(repository)) {
      const why = whyCleanKeeps(worktree) ?? (dryRun ? null : await whyNotRemoved(worktree, repository));
      if (why === null) removed.push(worktree);
      else kept.push({ worktree, why });
    }
    return { removed, kept };
  });
}

async function whyNotRemoved(worktree: OurWorktree, repository: Repository): Promise<string | null> {
  try {
    await removeHeld(worktree, repository, { force: false, branch: 'if-merged' });
    return null;
  } catch (error) {
    if (error instanceof OperatorError) return error.message;
    throw error;
  }
}

type Options = Parameters<GitCli['worktrees']['remove']>[1];

/** Locks the run meanwhile, so that nobody resumes it in a worktree that is being removed. */
async function removeHeld<T extends OurWorktree>(
  worktree: T,
  { workspace, git }: Repository,
  request: Options,
): Promise<T & { readonly isBranchDeleted: boolean }> {
  await using scope = openScope();
  if (worktree.run !== null) await hold(worktree.run, workspace, scope);
  const { isBranchDeleted } = await git.worktrees.remove(worktree.path, request);
  await removeRootIfEmpty(await git.worktrees.root());
  return { ...worktree, isBranchDeleted };
}

async function hold(run: string, { home }: Workspace, scope: Scope): Promise<void> {
  const lock = await takeLock(runLock(home.runsFolder, run), run);
  if (lock.kind === 'held') throw refused('workspace-busy', `run ${run} is active in it`, 'Wait for it, or stop it.', 4);
  scope.defer(() => lock.release().catch(() => undefined));
}

async function oursIn({ workspace: { cwd, env, home }, git, roots }: Repository): Promise<readonly OurWorktree[]> {
  return await ourWorktrees({ cwd, env, git, runsFolder: home.runsFolder, roots });
}

function named(which: string, cwd: string, worktrees: readonly OurWorktree[]): OurWorktree {
  const fitting = worktrees.filter(({ name, path, branch, run }) => [name, path, branch, run].includes(which) || path === resolve(cwd, which));
  const [found] = fitting;
  if (found && fitting.length === 1) return found;
  if (fitting.length > 1) throw refused('worktree-ambiguous', `"${which}" matches ${fitting.length} worktrees`, 'Name one of them by its path.', 2);
  throw refused('no-such-worktree', `no worktree of ralph is called "${which}" here`, 'ralph worktree list shows the worktrees.', 2);
}

function inRepository<T>(cwd: string, work: (repository: Repository) => Promise<T>): Promise<T> {
  return withOperatorErrors(async () => {
    await using scope = openScope();
    const workspace = await openWorkspace(cwd, scope);
    const { git } = workspace;
    if (git === null) throw refused('git-required', `${cwd} is not in a git repository, so it has no worktrees`, 'Change to a git repository.', 4);
    const { settings } = await loadLoopSettings(cwd, null);
    const wanted = worktreeSettings(settings, cwd, '');
    const roots = [await git.worktrees.root(), ...(wanted.root === null ? [] : [wanted.root])];
    return await work({ workspace, git, wanted, roots });
  });
}

function refused(code: string, message: string, hint: string, exitCode: 2 | 4): OperatorError {
  return new OperatorError(code, message, { hint, exitCode });
}

const MOST_NAMED = 10;

interface Where {
  /** The current directory. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Names the first uncommitted paths and the newest unmerged commits, so that the operator can decide whether they are needed; empty when there are none. */
async function nameLosses(lost: readonly Loss[], worktree: OurWorktree, where: Where): Promise<string> {
  const named = await Promise.all(lost.map((loss) => nameLoss(loss, worktree, where)));
  return named.filter((text) => text !== '').join('. ');
}

async function nameLoss(loss: Loss, { path, branch }: OurWorktree, { cwd, env }: Where): Promise<string> {
  switch (loss) {
    case 'changes':
      return sentence('Not committed', await notCommitted(gitAt(path, env)));
    case 'commits':
      return branch === null ? '' : sentence('Not merged', await unmergedCommits(branch, { cwd, env }));
    default:
      return assertNever(loss);
  }
}

/** Newest first, each with the first line of its message. Commits on other branches of ours count as unmerged: the next cleaning may delete those branches. */
async function unmergedCommits(branch: string, { cwd, env }: Where): Promise<readonly string[]> {
  const others = [`--exclude=${BRANCH_PREFIX}*`, '--branches', '--remotes', '--glob=refs/ralph/base/*', 'HEAD'];
  const { stdout } = await gitAt(cwd, env)(['log', '-z', '--format=%h %s', `refs/heads/${branch}`, '--not', ...others, '--']);
  return stdout.split('\0').filter(Boolean);
}

function sentence(what: string, all: readonly string[]): string {
  if (all.length === 0) return '';
  const more = all.length > MOST_NAMED ? `, and ${all.length - MOST_NAMED} more` : '';
  return `${what}: ${all.slice(0, MOST_NAMED).map(oneLine).join(', ')}${more}`;
}
