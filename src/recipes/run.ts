import type { Recipe } from '../core/recipe.ts';
import { abandonWhenLeaving } from '../core/rules/abandon-when-leaving.ts';
import { askForTheMessage } from '../core/rules/ask-for-the-message.ts';
import { carryOutScmTasks } from '../core/rules/carry-out-scm-tasks.ts';
import { closeTheIteration } from '../core/rules/close-the-iteration.ts';
import { judgeAgainWhatTheGatesChanged } from '../core/rules/judge-again-what-the-gates-changed.ts';
import { judgeByTheGates } from '../core/rules/judge-by-the-gates.ts';
import { judgeTheStart } from '../core/rules/judge-the-start.ts';
import { openTheNextIteration } from '../core/rules/open-the-next-iteration.ts';
import { putBackProtectedPaths } from '../core/rules/put-back-protected-paths.ts';
import { reviewTheWork } from '../core/rules/review-the-work.ts';
import { runTheAgent } from '../core/rules/run-the-agent.ts';
import { stopOnAgentError } from '../core/rules/stop-on-agent-error.ts';
import { stopWhenAClaimIsAccepted } from '../core/rules/stop-when-accepted.ts';
import { stopWhenTheBudgetIsSpent } from '../core/rules/stop-when-budget-is-spent.ts';
import { stopWhenIterationsAreSpent } from '../core/rules/stop-when-iterations-are-spent.ts';
import { stopWhenTheLimitOutlastsOurPatience } from '../core/rules/stop-when-limit-outlasts.ts';
import { stopWhenNothingCanHelp } from '../core/rules/stop-when-nothing-can-help.ts';
import { stopWhenTimeIsUp } from '../core/rules/stop-when-time-is-up.ts';
import { stopWhenTold } from '../core/rules/stop-when-told.ts';
import { verifyInACleanCheckout } from '../core/rules/verify-in-a-clean-checkout.ts';
import { waitWhilePaused } from '../core/rules/wait-while-paused.ts';
import { writeTheReceipt } from '../core/rules/write-the-receipt.ts';

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
