import type { Recipe } from '../../engine/decide/recipe.ts';
import { abandonWhenLeaving } from '../shared/rules/abandon-when-leaving.ts';
import { judgeByTheGates } from '../shared/rules/judge-by-the-gates.ts';
import { putBackProtectedPaths } from '../shared/rules/put-back-protected-paths.ts';
import { stopWhenTheLimitOutlastsOurPatience } from '../shared/rules/stop-when-limit-outlasts.ts';
import { stopWhenNothingCanHelp } from '../shared/rules/stop-when-nothing-can-help.ts';
import { stopWhenTold } from '../shared/rules/stop-when-told.ts';
import { awaitTheChildren, awaitTheChildrenOfAJob } from './rules/await-the-children.ts';
import { closeTheJob } from './rules/close-the-job.ts';
import { endTheChildren } from './rules/end-the-children.ts';
import { lookAfterAJob } from './rules/look-after-a-job.ts';
import { openTheOnlyLife } from './rules/open-the-only-life.ts';
import { runTheRootAgent } from './rules/run-the-root-agent.ts';
import { startAChildAskedFor } from './rules/start-a-child-asked-for.ts';
import { stopWhenTheJobIsOver } from './rules/stop-when-the-job-is-over.ts';

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
