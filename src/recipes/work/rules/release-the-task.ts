import type { ReleaseTask } from '../../../journal/effects/work-effect.ts';
import { reasonToLeave } from '../../../limits/leaving.ts';
import type { StepRule, View } from '../../../engine/decide/recipe.ts';
import type { OpenIteration } from '../../../journal/state/state.ts';
import { taskFeedback } from '../../../proof/judge/task-feedback.ts';
import { wantsAnotherTry } from '../../../limits/wants-another-try.ts';
import type { TaskInHand } from '../../../journal/state/work-state.ts';

/** The task goes on to whoever is next: done, back with what was wrong, or left for a person. */
export const releaseTheTask: StepRule = (iteration, view) => {
  const { hand, number } = iteration;
  if (hand === null || hand.released !== null) return null;
  return { kind: 'do', effect: { kind: 'release-task', key: `release:${number}`, iteration: number, attempt: 0, ...fateOf(iteration, hand, view) } };
};

type Fate = Pick<ReleaseTask, 'task' | 'n' | 'state' | 'branch' | 'base' | 'tries' | 'feedback'>;

function fateOf(iteration: OpenIteration, hand: TaskInHand, view: View): Fate {
  const { task, n, workspace, tries } = hand;
  const kept = { task: task.id, n, branch: workspace?.branch ?? hand.from, base: workspace?.base ?? null };
  if (hand.merge?.result === 'merged') return { ...kept, base: hand.merge.commit, state: 'done', tries, feedback: '' };
  if (isLeft(iteration, hand, view)) return { ...kept, state: 'free', tries, feedback: hand.feedback };
  const feedback = taskFeedback(iteration, hand);
  if (isStuckInConflict(hand)) return { ...kept, state: 'conflict', tries: tries + 1, feedback };
  return { ...kept, state: tries < allowedTries(hand, view) ? 'free' : 'failed', tries: tries + 1, feedback };
}

/** We ourselves have cut it off: nothing is held against it. */
function isLeft({ last, judged, repeated }: OpenIteration, { givenUp, merge }: TaskInHand, view: View): boolean {
  if (givenUp !== null) return true;
  const reason = reasonToLeave(view);
  if (reason === null || judged?.green === false || merge?.result === 'red' || merge?.result === 'conflict') return false;
  return reason !== 'drain' || last === null || wantsAnotherTry(last.verdict, repeated, view.settings.limits.repeats);
}

/** Both sides are kept: its branch, and the base. */
function isStuckInConflict({ merge, resolves, settled }: TaskInHand): boolean {
  return merge?.result === 'conflict' || (resolves > 0 && settled?.problem != null);
}

/** A claim that was not proven goes back more often than a task that nobody has claimed. */
function allowedTries({ isClaimed }: TaskInHand, { settings: { work } }: View): number {
  return (isClaimed ? work?.unprovenTries : work?.retryFailed) ?? 0;
}
