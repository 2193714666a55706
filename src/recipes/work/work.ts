import type { Recipe } from '../../engine/decide/recipe.ts';
import { findWhatIsAlive, waitWhilePaused } from '../shared/rules/starts.ts';
import { waitForWhatIsAlive } from '../shared/rules/steps.ts';
import {
  stopWhenAGateIsDead,
  stopWhenIterationsAreSpent,
  stopWhenNothingCanHelp,
  stopWhenSealedChecksStayRed,
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
  findWhatItsGatesRun,
  judgeTheTask,
  mergeTheTask,
  openTheWorkspace,
  releaseTheTask,
  resolveTheConflict,
  runTheAgentOnTheTask,
  settleTheTask,
  writeTheTaskReceipt,
} from './rules/steps.ts';
import { stopWhenNothingIsLeft, stopWhenTooManyFailed } from './rules/stops.ts';

export const work: Recipe = {
  name: 'work',
  summary: 'The tasks of a plan, each held by one worker, done by a fresh agent on its own branch, and merged only when the merged result is green.',
  stops: [
    stopWhenNothingCanHelp,
    stopWhenAGateIsDead,
    stopWhenTold,
    stopWhenNothingIsLeft,
    stopWhenTheLimitOutlastsOurPatience,
    stopWhenTimeIsUp,
    stopWhenTheBudgetIsSpent,
    stopWhenSealedChecksStayRed,
    stopWhenTooManyFailed,
    stopWhenIterationsAreSpent,
  ],
  steps: [
    openTheWorkspace,
    runTheAgentOnTheTask,
    settleTheTask,
    waitForWhatIsAlive,
    judgeTheTask,
    findWhatItsGatesRun,
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
    findWhatIsAlive,
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
