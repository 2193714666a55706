import { judging } from '../judging.ts';
import type { StepRule } from '../recipe.ts';
import { commitsByGit, isReadyForScm } from '../scm-tasks.ts';

/**
 * A gate that formats files makes the next ones green on something nobody would commit. So what green gates have changed is looked at once more,
 * by all of them; what they change then again (a report, a time stamp) waits for the next commit.
 */
export const judgeAgainWhatTheGatesChanged: StepRule = (iteration, view) => {
  const { judged, latest } = iteration;
  if (!commitsByGit(view.settings.scm) || !isReadyForScm(iteration, view)) return null;
  if (judged === null || judged.tree === judged.treeAfter || latest.judgements > 1) return null;
  return judging(iteration, view);
};
