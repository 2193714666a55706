import type { Recipe } from '../core/recipe.ts';
import { abandonWhenLeaving } from '../core/rules/abandon-when-leaving.ts';
import { judgeByTheGates } from '../core/rules/judge-by-the-gates.ts';
import { putBackProtectedPaths } from '../core/rules/put-back-protected-paths.ts';
import { stopWhenTheLimitOutlastsOurPatience } from '../core/rules/stop-when-limit-outlasts.ts';
import { stopWhenNothingCanHelp } from '../core/rules/stop-when-nothing-can-help.ts';
import { stopWhenTold } from '../core/rules/stop-when-told.ts';
import { awaitTheChildren, awaitTheChildrenOfAJob } from '../core/rules/supervise/await-the-children.ts';
import { closeTheJob } from '../core/rules/supervise/close-the-job.ts';
import { endTheChildren } from '../core/rules/supervise/end-the-children.ts';
import { lookAfterAJob } from '../core/rules/supervise/look-after-a-job.ts';
import { openTheOnlyLife } from '../core/rules/supervise/open-the-only-life.ts';
import { runTheRootAgent } from '../core/rules/supervise/run-the-root-agent.ts';
import { startAChildAskedFor } from '../core/rules/supervise/start-a-child-asked-for.ts';
import { stopWhenTheJobIsOver } from '../core/rules/supervise/stop-when-the-job-is-over.ts';

export const job: Recipe = {
  name: 'job',
  summary: 'One life of one agent, and all that came from it.',
  stops: [
    stopWhenNothingCanHelp,
    stopWhenTheJobIsOver,
    stopWhenTold,
    stopWhenTheLimitOutlastsOurPatience,
  ],
  steps: [
    putBackProtectedPaths,
    abandonWhenLeaving,
    runTheRootAgent,
    lookAfterAJob,
    awaitTheChildrenOfAJob,
    judgeByTheGates,
    closeTheJob,
  ],
  starts: [
    openTheOnlyLife,
  ],
  ends: [
    awaitTheChildren,
    endTheChildren,
  ],
  errands: [
    startAChildAskedFor,
  ],
};
