import type { Decision, View } from '../../engine/decide/recipe.ts';
import type { ClosedIteration, OpenIteration, RunState, StartedState } from '../../journal/state/state.ts';
import type { Outcome } from '../../journal/words/outcome.ts';
import { factsOf } from '../../settings/schema/recipe-facts.ts';
import type { SettingsWith } from '../../settings/schema/run-settings.ts';

/** The settings and the state of a run that has a task folder. */
export type SuperviseSettings = SettingsWith<'supervise'>;
export type SuperviseView = View<SuperviseSettings>;
export type SuperviseState = StartedState<SuperviseSettings>;

/** Whether its agent is restarted until DONE; a job has one start. */
export const isRestarted = ({ run }: RunState): boolean => factsOf(run?.settings).isRestarted;

/** The number of starts that count: those that were cut short by Ralph do not. */
export function countedStarts({ state }: View): number {
  return state.opened - state.abandoned;
}

/** Whoever starts or resumes a run wants it to continue: an agent that ended before that has no say about waiting, and no pause follows it. */
export function lastStartSinceResume({ state: { closed, time } }: View): ClosedIteration | null {
  const last = closed.at(-1);
  return last && last.atMs >= time.sittingFromMs ? last : null;
}

/** DONE exists, and the checks, if there are any, confirm it. */
export function isProvenDone(view: View): boolean {
  const { task } = view.state;
  return task.lastLook?.done.kind === 'file' && !isDoneWithProtectedChanges(view) && (view.settings.gates.length === 0 || task.judged?.green === true);
}

/** The agent before this DONE changed protected paths: its claim does not count, even if the checks are green after the revert. */
export function isDoneWithProtectedChanges({ state: { task, closed } }: View): boolean {
  return task.lastLook?.done.kind === 'file' && (closed.at(-1)?.entry.restored.length ?? 0) > 0;
}

/** The work is done or waits: children may finish. After anything else they are ended. */
export function letsChildrenFinish({ stop_reason }: Outcome): boolean {
  return stop_reason === 'completed' || stop_reason === 'waiting';
}

/** A look at the task folder after the agent ended: its request to wait counts. */
export function lookAfterRequest(view: View): Decision {
  return looking(view, { before: 0, iteration: 0, after_an_attempt: true });
}

/** A look before the start of that number, which is not open yet. */
export function lookBeforeRequest(view: View, before: number): Decision {
  return looking(view, { before, iteration: 0, after_an_attempt: false });
}

/** A look in an open iteration, before its agent starts or between two attempts. */
export function lookDuringRequest(view: View, { number, attempts }: OpenIteration): Decision {
  return looking(view, { before: number, iteration: number, after_an_attempt: attempts > 0 });
}

interface Wanted {
  readonly before: number;
  readonly iteration: number;
  readonly after_an_attempt: boolean;
}

function looking({ state }: View, wanted: Wanted): Decision {
  const { looks, busMark } = state.task;
  return { kind: 'do', effect: { kind: 'look-at-task', key: `look:${looks + 1}`, attempt: 0, ...wanted, since: wanted.after_an_attempt ? busMark : null } };
}

/** Waits for children, up to a limit; null when there are none, or when the wait is over. */
export function childrenWait(view: SuperviseView): Decision | null {
  const { active, awaitedSinceMs, outlived } = view.state.children;
  if (active.length === 0 || outlived.length > 0) return null;
  if (awaitedSinceMs === null) return { kind: 'say', event: { type: 'children.awaited', active: [...active] } };
  const untilMs = awaitedSinceMs + view.settings.supervise.waitTimeoutMs;
  return view.nowMs < untilMs ? { kind: 'wait', untilMs } : { kind: 'say', event: { type: 'children.outlived', active: [...active] } };
}

/** Ends those of the runs that were not ended yet; null when there are none. */
export function endChildrenRequest({ state }: View, runs: readonly string[]): Decision | null {
  const untried = runs.filter((run) => !state.children.tried.includes(run));
  if (untried.length === 0) return null;
  const key = `end-children:${state.children.tried.length + 1}`;
  return { kind: 'do', effect: { kind: 'end-children', key, iteration: 0, attempt: 0, runs: untried } };
}

/** Whether the agent of this iteration still has to run: not yet started, or stopped by a usage limit, which costs no restart. */
export function needsToRunAgent({ last }: OpenIteration): boolean {
  return last === null || last.verdict === 'limited';
}
