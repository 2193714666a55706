import type { Recipe } from '../../engine/decide/recipe.ts';
import { openTheNextIteration, waitWhilePaused } from '../shared/rules/starts.ts';
import { abandonWhenLeaving, judgeByTheGates, putBackProtectedPaths } from '../shared/rules/steps.ts';
import {
  stopOnAgentError,
  stopWhenIterationsAreSpent,
  stopWhenNothingCanHelp,
  stopWhenTheBudgetIsSpent,
  stopWhenTheLimitOutlastsOurPatience,
  stopWhenTimeIsUp,
  stopWhenTold,
} from '../shared/rules/stops.ts';
import { judgeTheStart, stopWhenAClaimIsAccepted, writeTheReceipt } from './rules/start-and-end.ts';
import {
  askForTheMessage,
  carryOutScmTasks,
  closeTheIteration,
  judgeAgainWhatTheGatesChanged,
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
    stopWhenTold,
    stopWhenTheLimitOutlastsOurPatience,
    stopWhenTimeIsUp,
    stopWhenTheBudgetIsSpent,
    stopOnAgentError,
    stopWhenIterationsAreSpent,
  ],
  steps: [
    putBackProtectedPaths,
    abandonWhenLeaving,
    runTheAgent,
    judgeByTheGates,
    reviewTheWork,
    judgeAgainWhatTheGatesChanged,
    verifyInACleanCheckout,
    askForTheMessage,
    carryOutScmTasks,
    closeTheIteration,
  ],
  starts: [
    waitWhilePaused,
    judgeTheStart,
    openTheNextIteration,
  ],
  ends: [
    writeTheReceipt,
  ],
  errands: [],
};
