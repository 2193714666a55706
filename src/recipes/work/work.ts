import { type Recipe, recipeFor } from '../../engine/decide/recipe.ts';
import { tellWhenTheBudgetIsNear } from '../shared/rules/errands.ts';
import { askThePerson } from '../shared/rules/questions.ts';
import { findLivingGates, waitWhilePaused } from '../shared/rules/starts.ts';
import { waitForLivingGates } from '../shared/rules/steps.ts';
import {
  stopOnFatalError,
  stopWhenAGateIsDead,
  stopWhenSealedChecksStayRed,
  stopWhenTheBudgetIsSpent,
  stopWhenTheDayIsSpent,
  stopWhenTheFleetHasSpent,
  stopWhenTheLimitWaitIsTooLong,
  stopWhenTimeIsUp,
  stopWhenTold,
} from '../shared/rules/stops.ts';
import { endTheAgentOfALostTask, freeTasksForAnotherTry, passOnTheAnswers, releaseUnopenedTasks } from './rules/ends-and-errands.ts';
import { openTheTask, pauseBetweenTasks, takeTheNextTask, waitForOthers } from './rules/starts.ts';
import {
  closeTheTask,
  closeTheWorkspace,
  findLivingGatesOfTheTask,
  judgeTheTask,
  mergeTheTask,
  openTheWorkspace,
  releaseTheTask,
  resolveTheConflict,
  runTheAgentOnTheTask,
  settleTheTask,
  writeTheTaskReceipt,
} from './rules/steps.ts';
import { stopWhenIterationsAreSpent, stopWhenNothingIsLeft, stopWhenTooManyFailed } from './rules/stops.ts';
import type { TaskIteration, WorkSettings } from './task-progress.ts';

export const work: Recipe = recipeFor<WorkSettings, TaskIteration>({
  name: 'work',
  summary: 'The tasks of a plan, each held by one worker, done by a fresh agent on its own branch, and merged only when the merged result is green.',
  stops: [
    stopOnFatalError,
    stopWhenAGateIsDead,
    stopWhenTold,
    stopWhenNothingIsLeft,
    stopWhenTheLimitWaitIsTooLong,
    stopWhenTimeIsUp,
    stopWhenTheBudgetIsSpent,
    stopWhenTheDayIsSpent,
    stopWhenTheFleetHasSpent,
    stopWhenSealedChecksStayRed,
    stopWhenTooManyFailed,
    stopWhenIterationsAreSpent,
  ],
  steps: [
    openTheWorkspace,
    runTheAgentOnTheTask,
    settleTheTask,
    askThePerson,
    waitForLivingGates,
    judgeTheTask,
    findLivingGatesOfTheTask,
    mergeTheTask,
    resolveTheConflict,
    writeTheTaskReceipt,
    closeTheWorkspace,
    releaseTheTask,
    closeTheTask,
  ],
  starts: [
    openTheTask,
    waitWhilePaused,
    findLivingGates,
    pauseBetweenTasks,
    takeTheNextTask,
    waitForOthers,
  ],
  ends: [
    releaseUnopenedTasks,
  ],
  errands: [
    passOnTheAnswers,
    freeTasksForAnotherTry,
    endTheAgentOfALostTask,
    tellWhenTheBudgetIsNear,
  ],
});
