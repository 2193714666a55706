import type { Recipe } from '../../engine/decide/recipe.ts';
import { findLivingGates, openTheNextIteration, waitWhilePaused } from '../shared/rules/starts.ts';
import { abandonWhenStopping, judgeByTheGates, revertProtectedPaths, waitForLivingGates } from '../shared/rules/steps.ts';
import {
  stopOnAgentError,
  stopOnFatalError,
  stopWhenAGateIsDead,
  stopWhenIterationsAreSpent,
  stopWhenTheBudgetIsSpent,
  stopWhenTheLimitWaitIsTooLong,
  stopWhenTimeIsUp,
  stopWhenTold,
} from '../shared/rules/stops.ts';
import { judgeTheStart, stopWhenAClaimIsAccepted, stopWhenAClaimWaitsForAPerson, writeTheReceipt } from './rules/start-and-end.ts';
import {
  askForTheMessage,
  closeTheIteration,
  judgeChangesOfTheGates,
  proveTheClaim,
  reviewTheWork,
  runScmTasks,
  runTheAgent,
  verifyInACleanCheckout,
} from './rules/steps.ts';

export const run: Recipe = {
  name: 'run',
  summary: 'One fresh agent after the other on the same prompt, until one claims to be done and every gate is green.',
  stops: [
    stopWhenAClaimIsAccepted,
    stopOnFatalError,
    stopWhenAGateIsDead,
    stopWhenTold,
    stopWhenTheLimitWaitIsTooLong,
    stopWhenTimeIsUp,
    stopWhenTheBudgetIsSpent,
    stopOnAgentError,
    stopWhenAClaimWaitsForAPerson,
    stopWhenIterationsAreSpent,
  ],
  steps: [
    revertProtectedPaths,
    abandonWhenStopping,
    runTheAgent,
    waitForLivingGates,
    judgeByTheGates,
    reviewTheWork,
    judgeChangesOfTheGates,
    verifyInACleanCheckout,
    proveTheClaim,
    askForTheMessage,
    runScmTasks,
    closeTheIteration,
  ],
  starts: [
    waitWhilePaused,
    judgeTheStart,
    findLivingGates,
    openTheNextIteration,
  ],
  ends: [
    writeTheReceipt,
  ],
  errands: [],
};
