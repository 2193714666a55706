import { currentDirectory } from '../../cli/shared/flags.ts';
import { printWarning } from '../../cli/shared/terminal-run-options.ts';
import { printable } from '../../kit/pure/text.ts';
import { io } from '../../process/io.ts';
import { alignRows } from '../../report/views/align-rows.ts';
import { cleanWorktrees, listWorktrees, newWorktree, removeWorktree } from '../../runs/worktrees/manage-worktrees.ts';
import type { OurWorktree } from '../../runs/worktrees/our-worktrees.ts';

interface Told {
  readonly json?: boolean;
}

export async function newWorktreeCommand(name: string, { json }: Told): Promise<number> {
  const { path, branch, head, cwd } = await newWorktree(currentDirectory(), name, printWarning);
  return tell(json, { path, branch, head, cwd }, [`${path} on branch ${branch}`]);
}

export async function listWorktreesCommand({ json }: Told): Promise<number> {
  const worktrees = await listWorktrees(currentDirectory());
  return tell(json, { worktrees: worktrees.map(worktreeJson) }, worktreeLines(worktrees));
}

interface RemoveFlags extends Told {
  readonly force?: boolean;
  readonly branch?: boolean;
}

export async function removeWorktreeCommand(which: string, { json, force = false, branch = false }: RemoveFlags): Promise<number> {
  const removed = await removeWorktree(currentDirectory(), { which, force, branch });
  const kept = removed.branch === null || removed.isBranchDeleted ? '' : `; branch ${removed.branch} is kept`;
  return tell(json, { removed: worktreeJson(removed), branch_deleted: removed.isBranchDeleted }, [`Removed ${removed.path}${kept}`]);
}

interface CleanFlags extends Told {
  readonly dryRun?: boolean;
}

export async function cleanWorktreesCommand({ json, dryRun = false }: CleanFlags): Promise<number> {
  const { removed, kept } = await cleanWorktrees(currentDirectory(), { dryRun });
  const lines = [
    ...removed.map(({ path }) => `${dryRun ? 'Would remove' : 'Removed'} ${path}`),
    ...kept.map(({ worktree, why }) => `Kept ${worktree.path}: ${why}`),
  ];
  const object = { dry_run: dryRun, removed: removed.map(worktreeJson), kept: kept.map(({ worktree, why }) => ({ ...worktreeJson(worktree), why })) };
  return tell(json, object, lines.length > 0 ? lines : ['There is nothing to clean.']);
}

function tell(json: boolean | undefined, object: object, lines: readonly string[]): number {
  io().stdout.write(json ? `${JSON.stringify(object)}\n` : `${lines.join('\n')}\n`);
  return 0;
}

const HEAD = ['NAME', 'BRANCH', 'RUN', 'STATE', 'FILES', 'COMMITS', 'TASK'] as const;

/** The table for people, with one line for each worktree. */
export function worktreeLines(worktrees: readonly OurWorktree[]): readonly string[] {
  if (worktrees.length === 0) return ['There is no worktree of ralph here.'];
  return alignRows([HEAD, ...worktrees.map(row)]);
}

function row({ name, branch, run, task, ...worktree }: OurWorktree): readonly string[] {
  return [
    name,
    branch ?? '(detached)',
    run ?? '-',
    stateText(worktree),
    filesText(worktree),
    commitsText(worktree),
    task === null ? '-' : `${printable(task.id)}: ${task.state}${task.holder === null ? '' : ` by ${printable(task.holder)}`}`,
  ];
}

function commitsText({ ahead, behind, isMerged }: Pick<OurWorktree, 'ahead' | 'behind' | 'isMerged'>): string {
  if (ahead === null) return '?';
  return [`${ahead} ahead`, ...(isMerged && ahead > 0 ? ['merged'] : []), ...(behind ? [`${behind} behind`] : [])].join(', ');
}

function stateText({ state, stopReason }: Pick<OurWorktree, 'state' | 'stopReason'>): string {
  return stopReason === null ? state : `${state}: ${stopReason}`;
}

function filesText({ isDirty, isGone }: Pick<OurWorktree, 'isDirty' | 'isGone'>): string {
  if (isGone) return 'gone';
  return isDirty === null ? '?' : isDirty ? 'dirty' : 'clean';
}

/** The JSON object for scripts. */
export function worktreeJson({ stopReason, isGone, isDirty, isMerged, ...worktree }: OurWorktree): object {
  const { name, path, branch, run, state, ahead, behind, task } = worktree;
  return {
    name,
    path,
    branch,
    run_id: run,
    state,
    stop_reason: stopReason,
    gone: isGone,
    dirty: isDirty,
    commits_ahead: ahead,
    commits_behind: behind,
    merged: isMerged,
    task: task === null ? null : { id: task.id, state: task.state, holder: task.holder, run_id: task.run },
  };
}
