import { truncateCodePoints } from '../kit/pure/truncate-code-points.ts';
import { TaskClaimed } from '../journal/events/work.ts';
import { type Answer, refusal } from './door-requests.ts';
import type { House } from './door-rooms.ts';

/** The body of `POST /v1/tasks/<id>/complete`: the number under which the task is held, and who says so. */
export const CompletionAsked = TaskClaimed.omit({ type: true, task: true });

type CompletionAsked = Omit<TaskClaimed, 'type' | 'task'>;

const NO_PLAN = refusal(404, 'this run works on no plan: tasks are for `ralph work`');
const COMPLETE = /^\/v1\/tasks\/([^/]+)\/complete$/;
/** Room for any name; what is longer fills the journal. */
const LONGEST_NAME = 200;

/** Whether it is about tasks at all. */
export const isAboutTasks = (pathname: string): boolean => pathname === '/v1/tasks' || pathname.startsWith('/v1/tasks/');

/** The task that somebody wants to be noted as complete; null when the path says something else. */
export function completedIn(pathname: string): string | null {
  const written = COMPLETE.exec(pathname)?.[1];
  if (written === undefined) return null;
  try {
    return decodeURIComponent(written);
  } catch {
    return null;
  }
}

/** What the lanes of this loop have in hand. */
export function tellOfTasks({ state }: House): Answer {
  const { run, open } = state();
  if (run?.settings.recipe !== 'work') return NO_PLAN;
  const tasks = open.flatMap(({ hand, lane, number, openedAtMs }) =>
    hand === null ? [] : [{ task: hand.task.id, title: hand.task.title, n: hand.n, lane, iteration: number, since: openedAtMs, claimed: hand.isClaimed }],
  );
  return { status: 200, body: { tasks } };
}

/** Notes that somebody calls a task complete. That is all it does: what proves it is looked at by the loop, once the agent has ended. */
export async function noteCompletion(task: string, { n, by }: CompletionAsked, { state, tell }: House): Promise<Answer> {
  const { run, open, stopped } = state();
  if (run?.settings.recipe !== 'work') return NO_PLAN;
  if (stopped !== null) return refusal(409, 'this run is over');
  const hand = open.find((iteration) => iteration.hand?.task.id === task)?.hand ?? null;
  if (hand === null) return refusal(409, `nobody here has ${truncateCodePoints(task, LONGEST_NAME, '…')} in hand`);
  if (hand.n !== n) return refusal(409, `${task} is held under number ${hand.n}: number ${n} does not count`);
  if (hand.givenUp !== null) return refusal(409, `${task} is given up: ${hand.givenUp}`);
  const isNoted = hand.isClaimed || (await tell({ type: 'task.claimed', task, n, by: truncateCodePoints(by, LONGEST_NAME, '…') }));
  return isNoted ? { status: 202, body: { noted: true, task, n, run: run.id } } : refusal(409, 'this run is over');
}
