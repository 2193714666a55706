import { isAcceptable } from '../acceptance.ts';
import { judging } from '../judging.ts';
import type { StepRule, View } from '../recipe.ts';
import { commitsByGit, isReadyForScm } from '../scm-tasks.ts';
import type { OpenIteration } from '../state.ts';

/**
 * A gate that formats files makes the next ones green on something nobody would commit. So what green gates have changed is looked at once more,
 * by all of them; what they change then again (a report, a time stamp) waits for the next commit.
 */
export const judgeAgainWhatTheGatesChanged: StepRule = (iteration, view) => {
  const { judged, latest } = iteration;
  if (judged === null || judged.tree === judged.treeAfter || latest.judgements > 1 || !isToBeKept(iteration, view)) return null;
  return judging(iteration, view);
};

/** As a commit, or as what a receipt says was proven. */
function isToBeKept(iteration: OpenIteration, view: View): boolean {
  const { scm, loop } = view.settings;
  return (commitsByGit(scm) && isReadyForScm(iteration, view)) || (loop !== null && isAcceptable(iteration, view));
}
