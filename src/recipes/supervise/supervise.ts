import type { Recipe } from '../../engine/decide/recipe.ts';
import { waitWhilePaused } from '../shared/rules/starts.ts';
import { abandonWhenStopping, revertProtectedPaths } from '../shared/rules/steps.ts';
import { stopOnFatalError, stopWhenTheLimitWaitIsTooLong, stopWhenTold } from '../shared/rules/stops.ts';
import {
  awaitTheChildren,
  awaitTheChildrenOfADone,
  endTheAgentAfterDone,
  endTheChildren,
  endTheChildrenOfADone,
  onceMoreAtTheEnd,
  postTheCompletion,
  startAChildAskedFor,
} from './rules/ends-and-errands.ts';
import { judgeTheDone, lookAfterAnEnd, lookBeforeAStart, openTheNextStart, pauseBetweenStarts, refuseTheDone, waitForDependencies } from './rules/starts.ts';
import { closeTheStart, lookAgainBeforeTheAgentRuns, runTheRootAgent, skipAnUnneededStart } from './rules/steps.ts';
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
    stopOnFatalError,
    stopWhenTold,
    stopWhenDoneIsNoFile,
    stopWhenTheAgentWaits,
    stopWhenTheLimitWaitIsTooLong,
    stopWhenFailuresComeTooFast,
    stopWhenADependencyFailed,
    stopWhenRestartsAreSpent,
  ],
  steps: [
    revertProtectedPaths,
    abandonWhenStopping,
    lookAgainBeforeTheAgentRuns,
    skipAnUnneededStart,
    runTheRootAgent,
    closeTheStart,
  ],
  starts: [
    waitWhilePaused,
    lookAfterAnEnd,
    awaitTheChildrenOfADone,
    endTheChildrenOfADone,
    judgeTheDone,
    refuseTheDone,
    pauseBetweenStarts,
    lookBeforeAStart,
    waitForDependencies,
    openTheNextStart,
  ],
  ends: [
    onceMoreAtTheEnd(lookAfterAnEnd),
    onceMoreAtTheEnd(awaitTheChildrenOfADone),
    onceMoreAtTheEnd(endTheChildrenOfADone),
    onceMoreAtTheEnd(judgeTheDone),
    onceMoreAtTheEnd(refuseTheDone),
    awaitTheChildren,
    endTheChildren,
    postTheCompletion,
  ],
  errands: [
    startAChildAskedFor,
    endTheAgentAfterDone,
  ],
};
