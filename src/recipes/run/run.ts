import type { Recipe } from '../../engine/decide/recipe.ts';
import { findWhatIsAlive, openTheNextIteration, waitWhilePaused } from '../shared/rules/starts.ts';
import { abandonWhenLeaving, judgeByTheGates, putBackProtectedPaths, waitForWhatIsAlive } from '../shared/rules/steps.ts';
import {
  stopOnAgentError,
  stopWhenAGateIsDead,
  stopWhenIterationsAreSpent,
  stopWhenNothingCanHelp,
  stopWhenTheBudgetIsSpent,
  stopWhenTheLimitOutlastsOurPatience,
  stopWhenTimeIsUp,
  stopWhenTold,
} from '../shared/rules/stops.ts';
import { judgeTheStart, stopWhenAClaimIsAccepted, stopWhenAClaimWaitsForAPerson, writeTheReceipt } from './rules/start-and-end.ts';
import {
  askForTheMessage,
  carryOutScmTasks,
  closeTheIteration,
  judgeAgainWhatTheGatesChanged,
  proveTheClaim,
  reviewTheWork,
  runTheAgent,
  verifyInACleanCheckout,
} from './rules/steps.ts';

export const run: Recipe = {
  name: 'run',
  summary: 'One fresh agent after the other on the same prompt, until one claims to be done and every gate is green.',
  stops: [
    stopWhenAClaimIsAccepted,
    stopWhenNothingCanHelp,
    stopWhenAGateIsDead,
    stopWhenTold,
    stopWhenTheLimitOutlastsOurPatience,
    stopWhenTimeIsUp,
    stopWhenTheBudgetIsSpent,
    stopOnAgentError,
    stopWhenAClaimWaitsForAPerson,
    stopWhenIterationsAreSpent,
  ],
  steps: [
    putBackProtectedPaths,
    abandonWhenLeaving,
    runTheAgent,
    waitForWhatIsAlive,
    judgeByTheGates,
    reviewTheWork,
    judgeAgainWhatTheGatesChanged,
    verifyInACleanCheckout,
    proveTheClaim,
    askForTheMessage,
    carryOutScmTasks,
    closeTheIteration,
  ],
  starts: [
    waitWhilePaused,
    judgeTheStart,
    findWhatIsAlive,
    openTheNextIteration,
  ],
  ends: [
    writeTheReceipt,
  ],
  errands: [],
};
