import type { BaseBrought, PlanSettled, WorkspaceOpened } from '../events/work.ts';
import type { CurrentTask, WorkState } from '../state/work-state.ts';
/** The task that was taken for this worker belongs to its new iteration. */
export function taskFor({ taken, skipped = [] }: WorkState, worker: number): CurrentTask | null {
  if (taken === null || taken.lane !== worker) return null;
  const { task, n, tries, feedback, from, prompt, claim, answers, done_before: doneBefore } = taken;
  return {
    task,
    n,
    tries,
    feedback,
    from,
    prompt,
    ...(claim && { claim }),
    ...(answers && { answers }),
    ...(doneBefore && { doneBefore }),
    workspace: null,
    problem: null,
    isClaimed: claim?.allowed !== undefined,
    settled: null,
    merge: null,
    merges: 0,
    brought: null,
    resolves: 0,
    conflicted: [],
    abandonedBecause: skipped.includes(task.id) ? 'a person skipped it' : null,
    released: null,
    isClosed: false,
  };
}

export function opened({ path, cwd, branch, base, head, problem }: WorkspaceOpened): Partial<CurrentTask> {
  return problem === null ? { workspace: { path, cwd, branch, base, ...(head !== undefined && { head }) } } : { problem };
}

export function settled(hand: CurrentTask, { claimed, head, tree, changed, edits, refused, restored, problem }: PlanSettled): Partial<CurrentTask> {
  const all = [...new Set([...(hand.settled?.restored ?? []), ...restored])];
  return { settled: { head, tree, changed, edits, refused, restored: all, problem }, isClaimed: hand.isClaimed || claimed };
}

/** The next attempt resolves the conflicts. Until then nothing is settled. */
export function brought(hand: CurrentTask, { base, conflicts, problem }: BaseBrought): Partial<CurrentTask> {
  return { brought: { conflicts, problem }, broughtBase: base, conflicted: conflicts, merge: problem === null ? null : hand.merge };
}
