import type { View } from '../../engine/decide/recipe.ts';
import type { JudgedWork, OpenIteration } from '../../journal/state/state.ts';
import { reasonToAbandon } from '../../limits/time.ts';
import { isGreen } from '../../proof/judge/acceptance.ts';
import type { ScmSpec } from '../../settings/schema/run-settings.ts';
import { isCommit } from '../../settings/schema/scm-words.ts';

/** The question of seed 001, word for word. */
export const MESSAGE_PROMPT = 'Provide a short imperative commit message for the changes. Output only the message, no explanation.';

/** True for green work of an agent that succeeded, while no task failed and no abort was requested. */
export function isReadyForScm(iteration: OpenIteration, view: View): boolean {
  const { last, judged, scm } = iteration;
  if (view.settings.scm === null || scm.over || last?.verdict !== 'ok' || judged === null || !isGreen(iteration)) return false;
  return reasonToAbandon(view) !== 'abort';
}

/** The position of the next task in the list; null when all are done. A commit without changes is skipped. */
export function nextTask({ scm, judged }: OpenIteration, spec: ScmSpec): number | null {
  const left = spec.tasks.findIndex((task, place) => place >= scm.next && !(isCommit(task) && isClean(judged)));
  return left === -1 ? null : left;
}

/** True when there is nothing to commit. */
function isClean(judged: JudgedWork | null): boolean {
  return judged !== null && judged.tree !== null && (judged.commitTree ?? judged.tree) === judged.headTree;
}
