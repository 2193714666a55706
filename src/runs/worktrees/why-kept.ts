import { howToResume } from '../../journal/words/outcome.ts';
import type { OurWorktree } from './our-worktrees.ts';
import type { TaskInWorktree } from './task-in-worktree.ts';

interface Refusal {
  readonly reason: string;
  readonly hint: string;
  /** The losses that can be listed one by one. */
  readonly lost: readonly Loss[];
}

export type Loss = 'changes' | 'commits';

/** A worktree in use is never removed. One with work that would be lost, or with a task that somebody claimed by hand, is removed only with --force. */
export function whyRemoveRefuses(worktree: OurWorktree, force: boolean): Refusal | null {
  const inUse = whyInUse(worktree);
  if (inUse !== null) return { reason: inUse, hint: howToEndIt(worktree), lost: [] };
  if (force) return null;
  const { task } = worktree;
  if (task?.state === 'in progress') {
    return { reason: `its task ${task.id} is in progress${by(task)}`, hint: `Release it with: ralph task reset ${task.id}`, lost: [] };
  }
  const lost = lossesOf(worktree);
  if (lost.length === 0) return null;
  return { reason: lost.map(({ reason }) => reason).join('; '), hint: 'Add --force to remove it anyway.', lost: lost.flatMap(({ loss }) => loss ?? []) };
}

/** Also keeps worktrees that a person created, and those whose run can still be resumed. */
export function whyCleanKeeps(worktree: OurWorktree): string | null {
  const { state, run, task } = worktree;
  const inUse = whyInUse(worktree);
  if (inUse !== null) return inUse;
  if (task?.state === 'in progress') return `its task ${task.id} is in progress${by(task)}`;
  if (run === null && task === null) return 'it was created by hand';
  if (run !== null && state === 'dead') return `its run was killed and can be resumed: ${howToResume(run)}`;
  return lossesOf(worktree)[0]?.reason ?? null;
}

function whyInUse({ state, run, task }: OurWorktree): string | null {
  if (state === 'running') return `run ${run ?? ''} is active in it`;
  if (state === 'unknown') return `it is unknown from here whether run ${run ?? ''} is active in it`;
  return task?.state === 'in progress' && task.run !== null ? `run ${task.run} is active in it, on task ${task.id}` : null;
}

function howToEndIt({ state, task }: OurWorktree): string {
  const isOfACrew = state !== 'running' && state !== 'unknown' && task !== null && task.run !== null;
  return isOfACrew ? `Wait for it, or stop the run with: ralph runs stop ${task.run}` : 'Wait for it, or stop it with Ctrl-C where it runs.';
}

const by = ({ holder }: TaskInWorktree) => (holder === null ? '' : `, by ${holder}`);

interface LossOf {
  readonly reason: string;
  /** Null when git cannot tell. */
  readonly loss: Loss | null;
}

function lossesOf(worktree: OurWorktree): readonly LossOf[] {
  return [...changesOf(worktree), ...commitsOf(worktree)];
}

function changesOf({ isDirty, isGone }: OurWorktree): readonly LossOf[] {
  if (isDirty) return [{ reason: 'it has uncommitted changes', loss: 'changes' }];
  return isDirty === null && !isGone ? [{ reason: 'git cannot tell whether everything is committed', loss: null }] : [];
}

function commitsOf({ isMerged, ahead }: OurWorktree): readonly LossOf[] {
  if (isMerged || ahead === 0) return [];
  if (ahead === null) return [{ reason: 'git cannot tell whether it is merged', loss: null }];
  return [{ reason: `it has ${ahead} ${ahead === 1 ? 'commit' : 'commits'} that no other branch has`, loss: 'commits' }];
}
