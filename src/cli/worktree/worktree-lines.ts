import type { OurWorktree } from '../../wiring/worktree/our-worktrees.ts';

const HEAD = ['NAME', 'BRANCH', 'RUN', 'STATE', 'FILES', 'COMMITS'] as const;

/** A table for people; one line a worktree. */
export function worktreeLines(worktrees: readonly OurWorktree[]): readonly string[] {
  if (worktrees.length === 0) return ['There is no worktree of ralph here.'];
  const rows = [HEAD, ...worktrees.map(row)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function row({ name, branch, run, ahead, ...worktree }: OurWorktree): readonly string[] {
  return [
    name,
    branch ?? '(detached)',
    run ?? '-',
    stateText(worktree),
    filesText(worktree),
    ahead === null ? '?' : `${ahead} ahead${worktree.isMerged && ahead > 0 ? ', merged' : ''}`,
  ];
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
  const { name, path, branch, run, state, ahead } = worktree;
  return { name, path, branch, run_id: run, state, stop_reason: stopReason, gone: isGone, dirty: isDirty, commits_ahead: ahead, merged: isMerged };
}
