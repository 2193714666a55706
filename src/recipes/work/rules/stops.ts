import type { StopRule } from '../../../engine/decide/recipe.ts';
import { openQuestions } from '../../../journal/state/questions.ts';
import { notDone, type Outcome } from '../../../journal/words/outcome.ts';
import { shellQuote } from '../../../kit/pure/shell-words.ts';
import { questionMessage } from '../../shared/rules/questions.ts';
import { stopAfterTheLastIteration } from '../../shared/rules/stops.ts';
import { failedTries, isAboutToFreeTasks, nextTakeAtMs, type WorkSettings, type WorkView } from '../task-progress.ts';

/** No task is held and none can be taken, according to the plan and its registers, never to text. */
export const stopWhenNothingIsLeft: StopRule<WorkSettings> = (view) => {
  const { tasks, open } = view.state;
  if (tasks.noTask === null || tasks.taken !== null || open.length > 0 || nextTakeAtMs(view) !== null || isAboutToFreeTasks(view.state)) return null;
  return { kind: 'stop', outcome: outcomeOf(view, tasks.noTask) };
};

function outcomeOf(view: WorkView, { reason, detail, counts }: NonNullable<WorkView['state']['tasks']['noTask']>): Outcome {
  const { state, settings } = view;
  const story = settings.work.filter.story;
  if (reason === 'all-complete') {
    const message = `All tasks complete${story === null ? '' : ` for story ${story}`}`;
    return { ...notDone('completed', message, 0), unproven: state.tasks.unproven };
  }
  const { parked = 0, asking = 0 } = counts;
  if (parked > asking) return notDone('held', heldMessage(view, detail), 3);
  if (asking > 0) return notDone('waiting', waitingMessage(view, detail), 3);
  if (counts.failed > 0 && failedTries(view) > 0) return notDone('stuck', `${failedText(counts)}: ${detail}`);
  return notDone('blocked', `No tasks available${story === null ? '' : ` for story ${story}`}: ${detail}`, settings.work.failOnBlocked ? 3 : 0);
}

/** The detail that follows is about all open tasks, so the numbers have to add up with it. */
function failedText({ total, complete, failed }: { readonly total: number; readonly complete: number; readonly failed: number }): string {
  const open = total - complete;
  if (failed < open) return `${failed} of ${open} open tasks failed`;
  return failed === 1 ? 'A task failed' : `${failed} tasks failed`;
}

/** Names the command that continues. For a task that another run has parked, the plan has the details. */
function heldMessage({ state }: WorkView, detail: string): string {
  const [first, ...others] = state.tasks.proofs?.filter(({ isParked }) => isParked) ?? [];
  if (first === undefined) return `Held: ${detail}`;
  const more = others.length === 0 ? '' : ` ${others.length + 1} tasks are held: ${[first, ...others].map(({ task }) => task).join(', ')}.`;
  return `${first.task}: ${first.proof.reason}.${more} Allow it: ralph accept ${state.run?.id ?? ''} --task ${shellQuote(first.task)}`;
}

/** The newest question of this run. For one that another run has asked, the plan has the details. */
function waitingMessage({ state }: WorkView, detail: string): string {
  const open = openQuestions(state);
  const newest = open.at(-1);
  if (newest === undefined) return `Waiting for an answer: ${detail}`;
  const more = open.length === 1 ? '' : `; ${open.length} tasks ask, see: ralph inbox`;
  return `${newest.task}: ${questionMessage(newest, state.run?.id ?? '')}${more}`;
}

/** More tries failed than the operator allows for the whole run. Running effects finish. */
export const stopWhenTooManyFailed: StopRule<WorkSettings> = (view) => {
  const most = view.settings.work.maxFailures;
  const all = failedTries(view);
  if (most === null || all <= most) return null;
  return { kind: 'stop', outcome: notDone('stuck', `${all} tries failed, and at most ${most} may`) };
};

export const stopWhenIterationsAreSpent = stopAfterTheLastIteration(() => 'Maximum iterations reached; there are tasks left.');
