import { howToResume } from '../runs/how-to-resume.ts';
import type { OurWorktree } from './our-worktrees.ts';

interface Refusal {
  readonly reason: string;
  readonly hint: string;
}

/** One in use is never removed; work that would be lost only when somebody insists. */
export function whyRemoveRefuses(worktree: OurWorktree, force: boolean): Refusal | null {
  const inUse = whyInUse(worktree);
  if (inUse !== null) return { reason: inUse, hint: 'Wait for it, or stop it with Ctrl-C where it runs.' };
  const lost = force ? null : whatWouldBeLost(worktree);
  return lost === null ? null : { reason: lost, hint: 'Add --force if that is not needed.' };
}

/** What a person made, and what may still go on, is kept as well. */
export function whyCleanKeeps(worktree: OurWorktree): string | null {
  const { state, run } = worktree;
  const inUse = whyInUse(worktree);
  if (inUse !== null) return inUse;
  if (run === null) return 'it was made by hand';
  if (state === 'dead') return `its run was cut off and can go on: ${howToResume(run)}`;
  return whatWouldBeLost(worktree);
}

function whyInUse({ state, run }: OurWorktree): string | null {
  if (state === 'running') return `run ${run ?? ''} is at work in it`;
  return state === 'unknown' ? `whether run ${run ?? ''} is at work in it cannot be told from here` : null;
}

function whatWouldBeLost({ isDirty, isGone, isMerged, ahead }: OurWorktree): string | null {
  if (isDirty) return 'it has changes that are not committed';
  if (isDirty === null && !isGone) return 'git cannot tell whether all of it is committed';
  if (isMerged || ahead === 0) return null;
  return ahead === null ? 'git cannot tell whether it is merged' : `it has ${ahead} ${ahead === 1 ? 'commit' : 'commits'} that no other branch has`;
}
