import { howToResume } from '../../journal/words/outcome.ts';
import type { OurWorktree } from './our-worktrees.ts';
import type { TaskInWorktree } from './task-in-worktree.ts';

interface Refusal {
  readonly reason: string;
  readonly hint: string;
  /** What of it can be named one by one. */
  readonly lost: readonly Loss[];
}

export type Loss = 'changes' | 'commits';

/** One in use is never removed; work that would be lost, or that somebody claimed by hand, only when they insist. */
export function whyRemoveRefuses(worktree: OurWorktree, force: boolean): Refusal | null {
  const inUse = whyInUse(worktree);
  if (inUse !== null) return { reason: inUse, hint: howToEndIt(worktree), lost: [] };
  if (force) return null;
  const { task } = worktree;
  if (task?.state === 'in progress') {
    return { reason: `its task ${task.id} is in progress${by(task)}`, hint: `Let it go with: ralph task reset ${task.id}`, lost: [] };
  }
  const lost = lossesOf(worktree);
  if (lost.length === 0) return null;
  return { reason: lost.map(({ reason }) => reason).join('; '), hint: 'Add --force if that is not needed.', lost: lost.flatMap(({ loss }) => loss ?? []) };
}

/** What a person made, and what may still go on, is kept as well. */
export function whyCleanKeeps(worktree: OurWorktree): string | null {
  const { state, run, task } = worktree;
  const inUse = whyInUse(worktree);
  if (inUse !== null) return inUse;
  if (task?.state === 'in progress') return `its task ${task.id} is in progress${by(task)}`;
  if (run === null && task === null) return 'it was made by hand';
  if (run !== null && state === 'dead') return `its run was cut off and can go on: ${howToResume(run)}`;
  return lossesOf(worktree)[0]?.reason ?? null;
}

function whyInUse({ state, run, task }: OurWorktree): string | null {
  if (state === 'running') return `run ${run ?? ''} is at work in it`;
  if (state === 'unknown') return `whether run ${run ?? ''} is at work in it cannot be told from here`;
  return task?.state === 'in progress' && task.run !== null ? `run ${task.run} is at work in it, on task ${task.id}` : null;
}

function howToEndIt({ state, task }: OurWorktree): string {
  const isOfACrew = state !== 'running' && state !== 'unknown' && task !== null && task.run !== null;
  return isOfACrew ? `Wait for it, or stop the run with: ralph runs stop ${task.run}` : 'Wait for it, or stop it with Ctrl-C where it runs.';
}

const by = ({ holder }: TaskInWorktree) => (holder === null ? '' : `, by ${holder}`);

interface LossOf {
  readonly reason: string;
  /** Null: git cannot tell. */
  readonly loss: Loss | null;
}

function lossesOf(worktree: OurWorktree): readonly LossOf[] {
  return [...changesOf(worktree), ...commitsOf(worktree)];
}

function changesOf({ isDirty, isGone }: OurWorktree): readonly LossOf[] {
  if (isDirty) return [{ reason: 'it has changes that are not committed', loss: 'changes' }];
  return isDirty === null && !isGone ? [{ reason: 'git cannot tell whether all of it is committed', loss: null }] : [];
}

function commitsOf({ isMerged, ahead }: OurWorktree): readonly LossOf[] {
  if (isMerged || ahead === 0) return [];
  if (ahead === null) return [{ reason: 'git cannot tell whether it is merged', loss: null }];
  return [{ reason: `it has ${ahead} ${ahead === 1 ? 'commit' : 'commits'} that no other branch has`, loss: 'commits' }];
}
