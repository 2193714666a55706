import { notDone } from '../../../journal/words/outcome.ts';
import type { StopRule } from '../../../engine/decide/recipe.ts';
import { specOf } from '../supervising.ts';

/** Only where the operator wants to be told at once: else a failed task may still be mended and started again, and is waited for. */
export const stopWhenADependencyFailed: StopRule = (view) => {
  const { opened, task } = view.state;
  const failed = task.blockedBy.filter(({ why }) => why === 'failed').map(({ task: name }) => name);
  if (!specOf(view).failOnBlocked || opened > 0 || failed.length === 0) return null;
  return { kind: 'stop', outcome: notDone('blocked', `task blocked by failed dependencies: ${failed.join(', ')}`, 3) };
};
