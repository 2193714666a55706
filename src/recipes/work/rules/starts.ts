import type { StartRule } from '../../../engine/decide/recipe.ts';
import { failurePauseMs } from '../../../limits/retry-policy.ts';
import { untilTimeIsUp } from '../../../limits/time.ts';
import { isAboutToFreeTasks, nextPollAtMs, nextTakeAtMs, type WorkSettings, type WorkView } from '../task-progress.ts';

/** Opens the next iteration of a worker with the task that was taken for it. */
export const openTheTask: StartRule<WorkSettings> = (lane, { state }) => {
  if (state.tasks.taken?.lane !== lane) return null;
  return { kind: 'say', event: { type: 'iteration.opened', iteration: state.opened + 1, lane } };
};

/** Each worker pauses after a task, longer after several failures in a row. All workers pause during a usage limit and after trouble with the plan. */
export const pauseBetweenTasks: StartRule<WorkSettings> = (lane, view) => {
  const untilMs = Math.max(restOf(lane, view), troubleOf(view), view.state.limit.untilMs);
  return view.nowMs < untilMs ? { kind: 'wait', untilMs: untilTimeIsUp(untilMs, view) } : null;
};

function restOf(lane: number, { state, settings }: WorkView): number {
  const sinceMs = state.tasks.idleSinceMs[lane];
  if (sinceMs === undefined || state.tasks.taken !== null) return 0;
  return sinceMs + Math.max(settings.work.pauseMs, failurePauseMs(state.failuresInARow, settings.limits.failurePauseMs));
}

/** A half-edited plan is usually complete soon. */
function troubleOf({ state: { tasks } }: WorkView): number {
  return tasks.planProblem === null ? 0 : nextPollAtMs(tasks.planProblem);
}

/** Tried again whenever something may have changed. The registers decide who holds a task, so that no two workers have the same. */
export const takeTheNextTask: StartRule<WorkSettings> = (lane, view) => {
  const { tasks, open } = view.state;
  // A task that a dead process of ours held is first cleaned up and released: whoever took it before that would miss part of its work.
  if (open.some(({ currentTask }) => currentTask !== null && currentTask.abandonedBecause !== null && currentTask.released === null)) return null;
  // An answer, or a person who wants another try, makes a task ready.
  if (isAboutToFreeTasks(view.state)) return null;
  if (tasks.taken !== null || (tasks.noTask !== null && view.nowMs < (nextTakeAtMs(view) ?? Number.POSITIVE_INFINITY))) return null;
  const key = `take:${tasks.asked + 1}`;
  return { kind: 'do', effect: { kind: 'take-task', key, iteration: 0, attempt: 0, lane, ...(tasks.skipped?.length && { skip: [...tasks.skipped] }) } };
};

/** No task is ready, but somebody is working: here, or in another process that shares the plan. */
export const waitForOthers: StartRule<WorkSettings> = (_lane, view) => {
  const atMs = nextTakeAtMs(view);
  if (atMs === null || atMs <= view.nowMs) return null;
  return { kind: 'wait', untilMs: untilTimeIsUp(atMs, view) };
};
