import type { Recipe } from '../core/recipe.ts';
import { abandonWhenLeaving } from '../core/rules/abandon-when-leaving.ts';
import { putBackProtectedPaths } from '../core/rules/put-back-protected-paths.ts';
import { stopWhenTheLimitOutlastsOurPatience } from '../core/rules/stop-when-limit-outlasts.ts';
import { stopWhenNothingCanHelp } from '../core/rules/stop-when-nothing-can-help.ts';
import { stopWhenTold } from '../core/rules/stop-when-told.ts';
import { awaitTheChildren, awaitTheChildrenOfADone } from '../core/rules/supervise/await-the-children.ts';
import { closeTheLife } from '../core/rules/supervise/close-the-life.ts';
import { endTheAgentAfterDone } from '../core/rules/supervise/end-the-agent-after-done.ts';
import { endTheChildren, endTheChildrenOfADone } from '../core/rules/supervise/end-the-children.ts';
import { judgeTheDone } from '../core/rules/supervise/judge-the-done.ts';
import { leaveALifeNobodyNeeds } from '../core/rules/supervise/leave-a-life-nobody-needs.ts';
import { lookAfterALife } from '../core/rules/supervise/look-after-a-life.ts';
import { lookAgainBeforeTheAgentRuns } from '../core/rules/supervise/look-again-before-the-agent-runs.ts';
import { lookBeforeALife } from '../core/rules/supervise/look-before-a-life.ts';
import { onTheWayOut } from '../core/rules/supervise/on-the-way-out.ts';
import { openTheNextLife } from '../core/rules/supervise/open-the-next-life.ts';
import { pauseBetweenLives } from '../core/rules/supervise/pause-between-lives.ts';
import { postTheCompletion } from '../core/rules/supervise/post-the-completion.ts';
import { refuseTheDone } from '../core/rules/supervise/refuse-the-done.ts';
import { runTheRootAgent } from '../core/rules/supervise/run-the-root-agent.ts';
import { startAChildAskedFor } from '../core/rules/supervise/start-a-child-asked-for.ts';
import { stopWhenADependencyFailed } from '../core/rules/supervise/stop-when-a-dependency-failed.ts';
import { stopWhenDoneIsNoFile } from '../core/rules/supervise/stop-when-done-is-no-file.ts';
import { stopWhenFailuresComeTooFast } from '../core/rules/supervise/stop-when-failures-come-too-fast.ts';
import { stopWhenRestartsAreSpent } from '../core/rules/supervise/stop-when-restarts-are-spent.ts';
import { stopWhenTheAgentWaits } from '../core/rules/supervise/stop-when-the-agent-waits.ts';
import { stopWhenTheTaskIsDone } from '../core/rules/supervise/stop-when-the-task-is-done.ts';
import { waitForDependencies } from '../core/rules/supervise/wait-for-dependencies.ts';
import { waitWhilePaused } from '../core/rules/wait-while-paused.ts';

export const supervise: Recipe = {
  name: 'supervise',
  summary: 'One root agent, restarted until its task folder says DONE, every check is green and its children have finished.',
  stops: [
    stopWhenTheTaskIsDone,
    stopWhenNothingCanHelp,
    stopWhenTold,
    stopWhenDoneIsNoFile,
    stopWhenTheAgentWaits,
    stopWhenTheLimitOutlastsOurPatience,
    stopWhenFailuresComeTooFast,
    stopWhenADependencyFailed,
    stopWhenRestartsAreSpent,
  ],
  steps: [
    putBackProtectedPaths,
    abandonWhenLeaving,
    lookAgainBeforeTheAgentRuns,
    leaveALifeNobodyNeeds,
    runTheRootAgent,
    closeTheLife,
  ],
  starts: [
    waitWhilePaused,
    lookAfterALife,
    awaitTheChildrenOfADone,
    endTheChildrenOfADone,
    judgeTheDone,
    refuseTheDone,
    pauseBetweenLives,
    lookBeforeALife,
    waitForDependencies,
    openTheNextLife,
  ],
  ends: [
    onTheWayOut(lookAfterALife),
    onTheWayOut(awaitTheChildrenOfADone),
    onTheWayOut(endTheChildrenOfADone),
    onTheWayOut(judgeTheDone),
    onTheWayOut(refuseTheDone),
    awaitTheChildren,
    endTheChildren,
    postTheCompletion,
  ],
  errands: [
    startAChildAskedFor,
    endTheAgentAfterDone,
  ],
};
