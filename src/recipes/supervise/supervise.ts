import type { Recipe } from '../../engine/decide/recipe.ts';
import { abandonWhenLeaving } from '../shared/rules/abandon-when-leaving.ts';
import { putBackProtectedPaths } from '../shared/rules/put-back-protected-paths.ts';
import { stopWhenTheLimitOutlastsOurPatience } from '../shared/rules/stop-when-limit-outlasts.ts';
import { stopWhenNothingCanHelp } from '../shared/rules/stop-when-nothing-can-help.ts';
import { stopWhenTold } from '../shared/rules/stop-when-told.ts';
import { awaitTheChildren, awaitTheChildrenOfADone } from './rules/await-the-children.ts';
import { closeTheLife } from './rules/close-the-life.ts';
import { endTheAgentAfterDone } from './rules/end-the-agent-after-done.ts';
import { endTheChildren, endTheChildrenOfADone } from './rules/end-the-children.ts';
import { judgeTheDone } from './rules/judge-the-done.ts';
import { leaveALifeNobodyNeeds } from './rules/leave-a-life-nobody-needs.ts';
import { lookAfterALife } from './rules/look-after-a-life.ts';
import { lookAgainBeforeTheAgentRuns } from './rules/look-again-before-the-agent-runs.ts';
import { lookBeforeALife } from './rules/look-before-a-life.ts';
import { onTheWayOut } from './rules/on-the-way-out.ts';
import { openTheNextLife } from './rules/open-the-next-life.ts';
import { pauseBetweenLives } from './rules/pause-between-lives.ts';
import { postTheCompletion } from './rules/post-the-completion.ts';
import { refuseTheDone } from './rules/refuse-the-done.ts';
import { runTheRootAgent } from './rules/run-the-root-agent.ts';
import { startAChildAskedFor } from './rules/start-a-child-asked-for.ts';
import { stopWhenADependencyFailed } from './rules/stop-when-a-dependency-failed.ts';
import { stopWhenDoneIsNoFile } from './rules/stop-when-done-is-no-file.ts';
import { stopWhenFailuresComeTooFast } from './rules/stop-when-failures-come-too-fast.ts';
import { stopWhenRestartsAreSpent } from './rules/stop-when-restarts-are-spent.ts';
import { stopWhenTheAgentWaits } from './rules/stop-when-the-agent-waits.ts';
import { stopWhenTheTaskIsDone } from './rules/stop-when-the-task-is-done.ts';
import { waitForDependencies } from './rules/wait-for-dependencies.ts';
import { waitWhilePaused } from '../shared/rules/wait-while-paused.ts';

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
