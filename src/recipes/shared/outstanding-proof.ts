import { isAcceptable } from '../../proof/judge/acceptance.ts';
import type { View } from '../../engine/decide/recipe.ts';
import { commitsByGit, isReadyForScm } from './scm-tasks.ts';
import type { OpenIteration } from '../../journal/state/state.ts';

/** Green gates have changed files, and what they left is to be kept: as a commit, or as what a receipt says was proven. */
export function secondLookIsDue(iteration: OpenIteration, view: View): boolean {
  const { judged, latest } = iteration;
  if (judged === null || judged.tree === judged.treeAfter || latest.judgements > 1) return false;
  const { scm, loop } = view.settings;
  return (commitsByGit(scm) && isReadyForScm(iteration, view)) || (loop !== null && isAcceptable(iteration, view));
}

/** All is green and claimed, and nobody has looked at it without the stray files of the workspace. */
export function verificationIsDue(iteration: OpenIteration, view: View): boolean {
  return view.settings.loop?.verifyClean === true && iteration.verified === null && isAcceptable(iteration, view);
}
