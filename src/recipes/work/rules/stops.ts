import type { StopRule, View } from '../../../engine/decide/recipe.ts';
import { notDone, type Outcome } from '../../../journal/words/outcome.ts';
import { shellQuote } from '../../../kit/pure/shell-words.ts';
import { failedTries, nextTakeAtMs } from '../task-progress.ts';

/** No task is held and none can be taken, according to the plan and its registers, never to text. */
export const stopWhenNothingIsLeft: StopRule = (view) => {
  const { tasks, open } = view.state;
  if (tasks.noTask === null || tasks.taken !== null || open.length > 0 || nextTakeAtMs(view) !== null) return null;
  return { kind: 'stop', outcome: outcomeOf(view, tasks.noTask) };
};

function outcomeOf(view: View, { reason, detail, counts }: NonNullable<View['state']['tasks']['noTask']>): Outcome {
  const { state, settings } = view;
  const story = settings.work?.filter.story ?? null;
  if (reason === 'all-complete') {
    const message = `All tasks complete${story === null ? '' : ` for story ${story}`}`;
    return { ...notDone('completed', message, 0), unproven: state.tasks.unproven };
  }
  if (counts.parked) return notDone('held', heldMessage(view, detail), 3);
  if (counts.failed > 0 && failedTries(view) > 0)
    return notDone('stuck', `${counts.failed === 1 ? 'A task' : `${counts.failed} tasks`} came to nothing: ${detail}`);
  return notDone('blocked', `No tasks available${story === null ? '' : ` for story ${story}`}: ${detail}`, settings.work?.failOnBlocked ? 3 : 0);
}

/** Names the command that continues. For a task that another run has parked, the plan has the details. */
function heldMessage({ state }: View, detail: string): string {
  const [first, ...others] = state.tasks.proofs?.filter(({ isParked }) => isParked) ?? [];
  if (first === undefined) return `Held: ${detail}`;
  const more = others.length === 0 ? '' : ` ${others.length + 1} tasks are held: ${[first, ...others].map(({ task }) => task).join(', ')}.`;
  return `${first.task}: ${first.proof.reason}.${more} Allow it: ralph accept ${state.run?.id ?? ''} --task ${shellQuote(first.task)}`;
}

/** More tries failed than the operator allows for the whole run. Running effects finish. */
export const stopWhenTooManyFailed: StopRule = (view) => {
  const most = view.settings.work?.maxFailures ?? null;
  const all = failedTries(view);
  if (most === null || all <= most) return null;
  return { kind: 'stop', outcome: notDone('stuck', `${all} tries came to nothing, and at most ${most} may`) };
};
