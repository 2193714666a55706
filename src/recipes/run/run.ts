import type { Recipe } from '../../engine/decide/recipe.ts';
import { abandonWhenLeaving } from '../shared/rules/abandon-when-leaving.ts';
import { askForTheMessage } from './rules/ask-for-the-message.ts';
import { carryOutScmTasks } from './rules/carry-out-scm-tasks.ts';
import { closeTheIteration } from './rules/close-the-iteration.ts';
import { judgeAgainWhatTheGatesChanged } from './rules/judge-again-what-the-gates-changed.ts';
import { judgeByTheGates } from '../shared/rules/judge-by-the-gates.ts';
import { judgeTheStart } from './rules/judge-the-start.ts';
import { openTheNextIteration } from '../shared/rules/open-the-next-iteration.ts';
import { putBackProtectedPaths } from '../shared/rules/put-back-protected-paths.ts';
import { reviewTheWork } from './rules/review-the-work.ts';
import { runTheAgent } from './rules/run-the-agent.ts';
import { stopOnAgentError } from '../shared/rules/stop-on-agent-error.ts';
import { stopWhenAClaimIsAccepted } from './rules/stop-when-accepted.ts';
import { stopWhenTheBudgetIsSpent } from '../shared/rules/stop-when-budget-is-spent.ts';
import { stopWhenIterationsAreSpent } from '../shared/rules/stop-when-iterations-are-spent.ts';
import { stopWhenTheLimitOutlastsOurPatience } from '../shared/rules/stop-when-limit-outlasts.ts';
import { stopWhenNothingCanHelp } from '../shared/rules/stop-when-nothing-can-help.ts';
import { stopWhenTimeIsUp } from '../shared/rules/stop-when-time-is-up.ts';
import { stopWhenTold } from '../shared/rules/stop-when-told.ts';
import { verifyInACleanCheckout } from './rules/verify-in-a-clean-checkout.ts';
import { waitWhilePaused } from '../shared/rules/wait-while-paused.ts';
import { writeTheReceipt } from './rules/write-the-receipt.ts';

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
