import type { Recipe } from '../../engine/decide/recipe.ts';
import { abandonWhenLeaving, judgeByTheGates, putBackProtectedPaths } from '../shared/rules/steps.ts';
import { stopWhenNothingCanHelp, stopWhenTheLimitOutlastsOurPatience, stopWhenTold } from '../shared/rules/stops.ts';
import { awaitTheChildren, awaitTheChildrenOfAJob, endTheChildren, startAChildAskedFor } from './rules/ends-and-errands.ts';
import { closeTheJob, lookAfterAJob, openTheOnlyLife, stopWhenTheJobIsOver } from './rules/job.ts';
import { runTheRootAgent } from './rules/steps.ts';

export const job: Recipe = {
  name: 'job',
  summary: 'One start of one agent, and the children it asks for.',
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
