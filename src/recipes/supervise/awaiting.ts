import type { Decision } from '../../engine/decide/decision.ts';
import type { View } from '../../engine/decide/recipe.ts';
import { specOf } from './supervising.ts';

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
