import type { Outcome } from '../../journal/words/outcome.ts';
import type { SuperviseSpec } from '../../settings/schema/run-settings.ts';
import type { View } from '../../engine/decide/recipe.ts';
import type { ClosedIteration } from '../../journal/state/state.ts';

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
