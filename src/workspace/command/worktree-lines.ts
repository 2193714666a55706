import { tableLines } from '../../report/views/table-lines.ts';
import { printable } from '../../kit/pure/printable.ts';
import type { OurWorktree } from '../../runs/worktrees/our-worktrees.ts';

const HEAD = ['NAME', 'BRANCH', 'RUN', 'STATE', 'FILES', 'COMMITS', 'TASK'] as const;

/** A table for people; one line a worktree. */
export function worktreeLines(worktrees: readonly OurWorktree[]): readonly string[] {
  if (worktrees.length === 0) return ['There is no worktree of ralph here.'];
  return tableLines([HEAD, ...worktrees.map(row)]);
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

/** The same for scripts. */
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
