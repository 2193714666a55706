import type { Recipe } from '../../engine/decide/recipe.ts';
import { waitWhilePaused } from '../shared/rules/starts.ts';
import { abandonWhenLeaving, putBackProtectedPaths } from '../shared/rules/steps.ts';
import { stopWhenNothingCanHelp, stopWhenTheLimitOutlastsOurPatience, stopWhenTold } from '../shared/rules/stops.ts';
import {
  awaitTheChildren,
  awaitTheChildrenOfADone,
  endTheAgentAfterDone,
  endTheChildren,
  endTheChildrenOfADone,
  onTheWayOut,
  postTheCompletion,
  startAChildAskedFor,
} from './rules/ends-and-errands.ts';
import { judgeTheDone, lookAfterALife, lookBeforeALife, openTheNextLife, pauseBetweenLives, refuseTheDone, waitForDependencies } from './rules/starts.ts';
import { closeTheLife, leaveALifeNobodyNeeds, lookAgainBeforeTheAgentRuns, runTheRootAgent } from './rules/steps.ts';
import {
  stopWhenADependencyFailed,
  stopWhenDoneIsNoFile,
  stopWhenFailuresComeTooFast,
  stopWhenRestartsAreSpent,
  stopWhenTheAgentWaits,
  stopWhenTheTaskIsDone,
} from './rules/stops.ts';

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
