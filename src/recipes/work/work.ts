import type { Recipe } from '../../engine/decide/recipe.ts';
import { waitWhilePaused } from '../shared/rules/starts.ts';
import {
  stopWhenIterationsAreSpent,
  stopWhenNothingCanHelp,
  stopWhenTheBudgetIsSpent,
  stopWhenTheLimitOutlastsOurPatience,
  stopWhenTimeIsUp,
  stopWhenTold,
} from '../shared/rules/stops.ts';
import { endTheAgentOfALostTask, letGoWhatWasTaken } from './rules/ends-and-errands.ts';
import { openTheTask, restBetweenTasks, takeTheNextTask, waitForOthers } from './rules/starts.ts';
import {
  closeTheTask,
  closeTheWorkspace,
  judgeTheTask,
  mergeTheTask,
  openTheWorkspace,
  releaseTheTask,
  resolveTheConflict,
  runTheAgentOnTheTask,
  settleTheTask,
} from './rules/steps.ts';
import { stopWhenNothingIsLeft, stopWhenTooManyFailed } from './rules/stops.ts';

export const work: Recipe = {
  name: 'work',
  summary: 'The tasks of a plan, each held by one lane, done by a fresh agent on a branch of its own, and merged only when the merged result is green.',
  stops: [
    stopWhenNothingCanHelp,
    stopWhenTold,
    stopWhenNothingIsLeft,
    stopWhenTheLimitOutlastsOurPatience,
    stopWhenTimeIsUp,
    stopWhenTheBudgetIsSpent,
    stopWhenTooManyFailed,
    stopWhenIterationsAreSpent,
  ],
  steps: [
    openTheWorkspace,
    runTheAgentOnTheTask,
    settleTheTask,
    judgeTheTask,
    mergeTheTask,
    resolveTheConflict,
    closeTheWorkspace,
    releaseTheTask,
    closeTheTask,
  ],
  starts: [
    openTheTask,
    waitWhilePaused,
    restBetweenTasks,
    takeTheNextTask,
    waitForOthers,
  ],
  ends: [
    letGoWhatWasTaken,
  ],
  errands: [
    endTheAgentOfALostTask,
  ],
};
