import { type Recipe, recipeFor } from '../../engine/decide/recipe.ts';
import { tellWhenTheBudgetIsNear } from '../shared/rules/errands.ts';
import { askThePerson } from '../shared/rules/questions.ts';
import { waitWhilePaused } from '../shared/rules/starts.ts';
import { abandonWhenStopping, revertProtectedPaths } from '../shared/rules/steps.ts';
import { stopOnFatalError, stopWhenTheBudgetIsSpent, stopWhenTheDayIsSpent, stopWhenTheLimitWaitIsTooLong, stopWhenTold } from '../shared/rules/stops.ts';
import {
  askWhatTheAgentWaitsFor,
  awaitTheChildren,
  awaitTheChildrenOfADone,
  endTheAgentAfterDone,
  endTheChildren,
  endTheChildrenOfADone,
  onceMoreAtTheEnd,
  postTheCompletion,
  startAChildAskedFor,
} from './rules/ends-and-errands.ts';
import {
  judgeTheDone,
  lookAfterAnEnd,
  lookBeforeAStart,
  openTheNextStart,
  pauseBetweenStarts,
  postTheAnswers,
  refuseTheDone,
  waitForDependencies,
} from './rules/starts.ts';
import { closeTheStart, lookAgainBeforeTheAgentRuns, runTheRootAgent, skipAnUnneededStart } from './rules/steps.ts';
import {
  onceDoneIsLookedFor,
  stopWhenADependencyFailed,
  stopWhenDoneIsNoFile,
  stopWhenFailuresComeTooFast,
  stopWhenRestartsAreSpent,
  stopWhenTheAgentWaits,
  stopWhenTheTaskIsDone,
} from './rules/stops.ts';
import type { SuperviseSettings } from './supervised-task.ts';

export const supervise: Recipe = recipeFor<SuperviseSettings>({
  name: 'supervise',
  summary: 'One root agent, restarted until its task folder says DONE, every check is green and its children have finished.',
  stops: [
    stopWhenTheTaskIsDone,
    stopOnFatalError,
    stopWhenTold,
    stopWhenDoneIsNoFile,
    stopWhenTheAgentWaits,
    stopWhenTheLimitWaitIsTooLong,
    onceDoneIsLookedFor(stopWhenTheBudgetIsSpent),
    onceDoneIsLookedFor(stopWhenTheDayIsSpent),
    stopWhenFailuresComeTooFast,
    stopWhenADependencyFailed,
    stopWhenRestartsAreSpent,
  ],
  steps: [
    revertProtectedPaths,
    askThePerson,
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
    postTheAnswers,
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
    askWhatTheAgentWaitsFor,
  ],
  errands: [
    startAChildAskedFor,
    endTheAgentAfterDone,
    tellWhenTheBudgetIsNear,
  ],
});
