import { realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isInside } from '../../kit/files/read.ts';
import { readJournalFile } from '../../store/journal-file.ts';
import { lockHolder } from '../../store/lock.ts';
import { listRuns, startIn } from '../../store/run-home.ts';
import { runLock } from '../../store/runs/run-lock.ts';
import type { GitCli } from '../../workspace/git/git-cli.ts';
import type { Git } from '../../workspace/git/git-command.ts';
import { gitAt } from '../../workspace/git/plain-repository.ts';
import type { SeenWorktree } from '../../workspace/worktrees/git-worktrees.ts';
import { ownWorktreeOf } from '../../workspace/worktrees/open.ts';
import { BRANCH_PREFIX } from '../../workspace/worktrees/own-worktree.ts';
import { openTaskOfWorktree, type TaskInWorktree } from './task-in-worktree.ts';

/** A worktree that ralph created: for a run, or by `ralph worktree new`. */
export interface OurWorktree extends RunInWorktree {
  readonly name: string;
  readonly path: string;
  /** Null when HEAD is detached. */
  readonly branch: string | null;
  /** The newest run that worked in it, or the one it was created for; null for one created by hand. */
  readonly run: string | null;
  /** Its folder no longer exists. */
  readonly isGone: boolean;
  /** Null when unknown. */
  readonly isDirty: boolean | null;
  /** Commits since its run began, or else commits that the base does not have. Null when unknown. */
  readonly ahead: number | null;
  /** Commits of the base that it does not have. The base is that of the plan for a task, else HEAD of the current directory. */
  readonly behind: number | null;
  /** Whether another branch, the base of the plan, or HEAD of the current directory has all its commits. */
  readonly isMerged: boolean;
  /** Null when it belongs to no task. */
  readonly task: TaskInWorktree | null;
}

interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly git: GitCli;
  readonly runsFolder: string;
  /** The folders in which ralph creates worktrees. */
  readonly roots: readonly string[];
}

const RUN_ID = /^\d{8}-\d{6}-[0-9a-f]{6}$/;

/** Never a worktree of the operator: either its branch has our kind of name and it lies in our folder, or a run has recorded that it created it. */
export async function ourWorktrees(place: Place): Promise<readonly OurWorktree[]> {
  const roots = await Promise.all(place.roots.map((root) => realpath(root).catch(() => root)));
  const recorded = await recordedRuns(place.runsFolder);
  const isOurs = ({ path, branch, isMain, isBare }: SeenWorktree) => {
    if (isMain || isBare) return false;
    return (branch?.startsWith(BRANCH_PREFIX) && roots.some((root) => isInside(root, path))) || recorded.some(({ own }) => own === path);
  };
  const listed = await place.git.worktrees.list();
  const found = listed.filter(isOurs);
  if (found.length === 0) return [];
  const around = { recorded, taskIn: await openTaskOfWorktree(place.git), crewBase: await crewBaseOf(listed, gitAt(place.cwd, place.env)) };
  return await Promise.all(found.map((sight) => described(sight, place, around)));
}

interface Around {
  readonly recorded: readonly RecordedRun[];
  readonly taskIn: Awaited<ReturnType<typeof openTaskOfWorktree>>;
  /** What the branches of tasks are merged into; null when no plan was worked on yet. */
  readonly crewBase: string | null;
}

async function described(sight: SeenWorktree, place: Place, { recorded, taskIn, crewBase }: Around): Promise<OurWorktree> {
  const { path, branch, head, isPrunable: isGone, isDirty } = sight;
  const task = taskIn(sight);
  const started = runIn(path, recorded);
  const run = started?.run ?? runNamedBy(branch);
  const here = gitAt(place.cwd, place.env);
  const base = (task === null ? null : crewBase) ?? 'HEAD';
  const placeLock = isGone ? null : await lockIn(gitAt(path, place.env));
  return {
    ...(await runInWorktree({ runsFolder: place.runsFolder, placeLock, run, hasStarted: started !== null })),
    name: basename(path),
    path,
    branch,
    run,
    isGone,
    isDirty,
    ahead: head === null ? null : await countOf(here, `${started?.base ?? base}..${head}`),
    behind: head === null ? null : await countOf(here, `${head}..${base}`),
    isMerged: head !== null && (await isOnAnotherBranch(here, head, branch)),
    task,
  };
}

/** For a start that failed: its worktree exists, its journal does not. */
function runNamedBy(branch: string | null): string | null {
  const name = branch?.slice(BRANCH_PREFIX.length) ?? '';
  return RUN_ID.test(name) ? name : null;
}

async function lockIn(there: Git): Promise<string | null> {
  const { code, stdout } = await there(['rev-parse', '--absolute-git-dir']);
  return code === 0 ? join(stdout.trimEnd(), 'ralph-lock') : null;
}

async function countOf(here: Git, range: string): Promise<number | null> {
  const { code, stdout } = await here(['rev-list', '--count', '--end-of-options', range]);
  return code === 0 ? Number(stdout) : null;
}

async function crewBaseOf([main]: readonly SeenWorktree[], here: Git): Promise<string | null> {
  const ref = `refs/ralph/base/${main?.branch ?? ''}`;
  return (await here(['show-ref', '--verify', '--quiet', ref])).code === 0 ? ref : null;
}

/** Branches of other runs do not count: the next cleaning may delete them. */
async function isOnAnotherBranch(here: Git, head: string, branch: string | null): Promise<boolean> {
  const ours = [`refs/heads/${BRANCH_PREFIX}`, ...(branch === null ? [] : [`refs/heads/${branch}`])];
  const { stdout } = await here(['for-each-ref', '--contains', head, '--format=%(refname)', 'refs/heads', 'refs/remotes', 'refs/ralph/base']);
  const others = stdout.split('\n').filter((ref) => ref !== '' && !ours.some((own) => ref === own || (own.endsWith('/') && ref.startsWith(own))));
  return others.length > 0 || (await here(['merge-base', '--is-ancestor', head, 'HEAD'])).code === 0;
}

/** What the run of a worktree has recorded about it. */
export interface RecordedRun {
  readonly run: string;
  /** The directory it works in. */
  readonly cwd: string;
  /** The worktree that was created for it. */
  readonly own: string | null;
  /** The commit it began on. */
  readonly base: string | null;
}

async function recordedRuns(runsFolder: string): Promise<readonly RecordedRun[]> {
  const recorded: RecordedRun[] = [];
  for (const run of await listRuns(runsFolder)) {
    const start = await startIn(join(runsFolder, run)).catch(() => null);
    if (start === null) continue;
    const { found } = start.line as { readonly found?: { readonly head?: unknown } | null };
    recorded.push({ run, cwd: start.cwd, own: ownWorktreeOf(start)?.path ?? null, base: typeof found?.head === 'string' ? found.head : null });
  }
  return recorded;
}

/** The newest run that works in that worktree, whether or not it was created for it. */
function runIn(path: string, recorded: readonly RecordedRun[]): RecordedRun | null {
  return recorded.find(({ cwd, own }) => own === path || cwd === path || isInside(path, cwd)) ?? null;
}

/** `dead`: its process ended without recording an outcome. `unknown`: it may be running on a machine we cannot see. */
export type WorktreeState = 'running' | 'stopped' | 'dead' | 'unknown' | 'no run';

export interface RunInWorktree {
  readonly state: WorktreeState;
  readonly stopReason: string | null;
}

interface Where {
  readonly runsFolder: string;
  /** The lock of the worktree itself; null when it is gone. */
  readonly placeLock: string | null;
  /** Null when no run was ever there. */
  readonly run: string | null;
  /** Whether the journal of that run has begun. */
  readonly hasStarted: boolean;
}

/** A process that holds the worktree or its run counts as active in it, even before its journal begins. */
async function runInWorktree({ runsFolder, placeLock, run, hasStarted }: Where): Promise<RunInWorktree> {
  const locks = [...(placeLock === null ? [] : [placeLock]), ...(run === null ? [] : [runLock(runsFolder, run)])];
  for (const lock of locks) {
    const held = await lockHolder(lock);
    if (held !== null) return { state: held.liveness === 'alive' ? 'running' : 'unknown', stopReason: null };
  }
  return run !== null && hasStarted ? await endOf(join(runsFolder, run)) : { state: 'no run', stopReason: null };
}

/** A run with an unreadable journal counts as not over. */
async function endOf(runFolder: string): Promise<RunInWorktree> {
  const events = await readJournalFile(join(runFolder, 'journal.jsonl')).catch(() => null);
  if (events === null) return { state: 'unknown', stopReason: null };
  const last = events.at(-1)?.body;
  return last?.type === 'run.stopped' ? { state: 'stopped', stopReason: last.outcome.stop_reason } : { state: 'dead', stopReason: null };
}
