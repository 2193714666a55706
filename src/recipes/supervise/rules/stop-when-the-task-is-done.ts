import type { StopRule, View } from '../../../engine/decide/recipe.ts';
import { isProvenDone } from '../supervising.ts';

/** DONE is there and proven. Who is asked to leave while children are still at work has not waited for them. */
export const stopWhenTheTaskIsDone: StopRule = (view) => {
  const { state, settings } = view;
  const { active, tried } = state.children;
  if (!isProvenDone(view) || (state.leaving && (active.length > 0 || tried.length > 0))) return null;
  const claim = { by: 'done-file', text: 'DONE' } as const;
  const proof = { claim, unproven: settings.gates.length === 0, zero_work: false, signal: null, exit_code: 0 };
  return { kind: 'stop', outcome: { stop_reason: 'completed', message: wordsFor(view), ...proof } };
};

function wordsFor({ state: { children } }: View): string {
  if (children.outlived.length > 0) return `task completed, but ${children.outlived.length} of its children did not finish in time`;
  return children.awaitedSinceMs === null ? 'task completed (DONE marker present, no active children)' : 'task completed (all children finished)';
}
