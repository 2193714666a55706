import type { Decision, View } from '../../engine/decide/recipe.ts';
import type { ClosedIteration, OpenIteration } from '../../journal/state/state.ts';
import type { Outcome } from '../../journal/words/outcome.ts';
import type { SuperviseSpec } from '../../settings/schema/run-settings.ts';

/** What a root agent's run was started with. Only its recipes have these rules. */
export function specOf({ settings }: View): SuperviseSpec {
  if (settings.supervise === null) throw new Error('This recipe needs a task folder.');
  return settings.supervise;
}

/** How many lives there were that count: those we cut short ourselves do not. */
export function livesOf({ state }: View): number {
  return state.opened - state.abandoned;
}

/** Who starts or resumes a run wants it to go on: a life that ended before that is neither asked what it wished nor paused after. */
export function lastLifeOfThisSitting({ state: { closed, time } }: View): ClosedIteration | null {
  const last = closed.at(-1);
  return last && last.atMs >= time.sittingFromMs ? last : null;
}

/** DONE is there, and the checks, where there are any, say the same. */
export function isProvenDone(view: View): boolean {
  const { task } = view.state;
  return task.sight?.done.kind === 'file' && !isDoneByCheating(view) && (view.settings.gates.length === 0 || task.judged?.green === true);
}

/** The life before this DONE has changed what is protected: whatever the checks say now that it is put back, its word does not count. */
export function isDoneByCheating({ state: { task, closed } }: View): boolean {
  return task.sight?.done.kind === 'file' && (closed.at(-1)?.entry.restored.length ?? 0) > 0;
}

/** The work is over or rests: children may come to their end. After anything else they are ended. */
export function letsChildrenFinish({ stop_reason }: Outcome): boolean {
  return stop_reason === 'completed' || stop_reason === 'waiting';
}

/** A look at the task folder after a life: what it wished for counts. */
export function lookingAfter(view: View): Decision {
  return looking(view, { before: 0, iteration: 0, after_an_attempt: true });
}

/** A look before the life of that number, which is not open yet. */
export function lookingBefore(view: View, before: number): Decision {
  return looking(view, { before, iteration: 0, after_an_attempt: false });
}

/** A look in an open life, before its agent is run or between two attempts. */
export function lookingIn(view: View, { number, attempts }: OpenIteration): Decision {
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

/** Children may come to their end, for so long; null when there is none, or none that is waited for any longer. */
export function awaiting(view: View): Decision | null {
  const { active, awaitedSinceMs, outlived } = view.state.children;
  if (active.length === 0 || outlived.length > 0) return null;
  if (awaitedSinceMs === null) return { kind: 'say', event: { type: 'children.awaited', active: [...active] } };
  const untilMs = awaitedSinceMs + specOf(view).waitTimeoutMs;
  return view.nowMs < untilMs ? { kind: 'wait', untilMs } : { kind: 'say', event: { type: 'children.outlived', active: [...active] } };
}

/** Ends those of the runs that nobody has tried to end yet; null when there is none. */
export function ending({ state }: View, runs: readonly string[]): Decision | null {
  const untried = runs.filter((run) => !state.children.tried.includes(run));
  if (untried.length === 0) return null;
  const key = `end-children:${state.children.tried.length + 1}`;
  return { kind: 'do', effect: { kind: 'end-children', key, iteration: 0, attempt: 0, runs: untried } };
}

/** Whether the agent of this iteration is still to be run: not yet begun, or turned away by a usage limit, which costs no restart. */
export function wantsAnotherLife({ last }: OpenIteration): boolean {
  return last === null || last.verdict === 'limited';
}
