import type { StartRule } from '../../../engine/decide/recipe.ts';
import { specOf } from '../supervising.ts';

/** Before the first life only. A watcher looks and tells when something has changed; the alarm is only to have one. */
export const waitForDependencies: StartRule = (_lane, view) => {
  const { opened, task } = view.state;
  if (opened > 0 || task.blockedBy.length === 0) return null;
  return { kind: 'wait', untilMs: view.nowMs + Math.max(60_000, specOf(view).pollMs) };
};
